/*
 * Layer 1, base. The binary interface of verbs, as programs compiled against rdma-core's or Apple's header see it.
 * Layouts are pinned by the assertions at the end; fields that nobody here reads are kept as padding. The calls
 * declared last are defined in layer 7.
 */
#ifndef VTB_VERBS_ABI_H
#define VTB_VERBS_ABI_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { IBV_NODE_CA = 1 };
enum { IBV_TRANSPORT_IB = 0, IBV_TRANSPORT_THUNDERBOLT = 100 };
enum { IBV_LINK_LAYER_ETHERNET = 2, IBV_LINK_LAYER_THUNDERBOLT = 100 };
enum { IBV_PORT_DOWN = 1, IBV_PORT_ACTIVE = 4 };
enum { IBV_MTU_1024 = 3, IBV_MTU_4096 = 5 };
enum { IBV_QPT_RC = 2, IBV_QPT_UC = 3, IBV_QPT_UD = 4 };
enum { IBV_QPS_RESET = 0, IBV_QPS_INIT = 1, IBV_QPS_RTR = 2, IBV_QPS_RTS = 3, IBV_QPS_ERR = 6 };
enum {
    IBV_QP_STATE = 1 << 0,
    IBV_QP_ACCESS_FLAGS = 1 << 3,
    IBV_QP_PKEY_INDEX = 1 << 4,
    IBV_QP_PORT = 1 << 5,
    IBV_QP_AV = 1 << 7,
    IBV_QP_PATH_MTU = 1 << 8,
    IBV_QP_TIMEOUT = 1 << 9,
    IBV_QP_RETRY_CNT = 1 << 10,
    IBV_QP_RNR_RETRY = 1 << 11,
    IBV_QP_RQ_PSN = 1 << 12,
    IBV_QP_MAX_QP_RD_ATOMIC = 1 << 13,
    IBV_QP_MIN_RNR_TIMER = 1 << 15,
    IBV_QP_SQ_PSN = 1 << 16,
    IBV_QP_MAX_DEST_RD_ATOMIC = 1 << 17,
    IBV_QP_CAP = 1 << 19,
    IBV_QP_DEST_QPN = 1 << 20,
};
enum { IBV_ACCESS_LOCAL_WRITE = 1, IBV_ACCESS_REMOTE_WRITE = 2, IBV_ACCESS_REMOTE_READ = 4 };
enum { IBV_WR_RDMA_WRITE = 0, IBV_WR_SEND = 2, IBV_WR_RDMA_READ = 4 };
enum { IBV_SEND_SIGNALED = 1 << 1, IBV_SEND_INLINE = 1 << 3 };
enum {
    IBV_WC_SUCCESS = 0,
    IBV_WC_LOC_LEN_ERR = 1,
    IBV_WC_LOC_QP_OP_ERR = 2,
    IBV_WC_LOC_PROT_ERR = 4,
    IBV_WC_WR_FLUSH_ERR = 5,
    IBV_WC_REM_INV_REQ_ERR = 9,
    IBV_WC_REM_ACCESS_ERR = 10,
    IBV_WC_REM_OP_ERR = 11,
    IBV_WC_RETRY_EXC_ERR = 12,
    IBV_WC_RNR_RETRY_EXC_ERR = 13,
    IBV_WC_GENERAL_ERR = 21,
};
enum { IBV_WC_SEND = 0, IBV_WC_RDMA_WRITE = 1, IBV_WC_RDMA_READ = 2, IBV_WC_RECV = 128 };

union ibv_gid {
    uint8_t raw[16];
    uint64_t align;
};

struct ibv_device {
    void *ops[2];
    int node_type;
    int transport_type;
    char name[64];
    char dev_name[64];
    char dev_path[256];
    char ibdev_path[256];
};

struct ibv_qp;
struct ibv_cq;
struct ibv_wc;
struct ibv_send_wr;
struct ibv_recv_wr;

struct ibv_context_ops {
    void *reserved_a[11];
    int (*poll_cq)(struct ibv_cq *, int, struct ibv_wc *);
    int (*req_notify_cq)(struct ibv_cq *, int);
    void *reserved_b[12];
    int (*post_send)(struct ibv_qp *, struct ibv_send_wr *, struct ibv_send_wr **);
    int (*post_recv)(struct ibv_qp *, struct ibv_recv_wr *, struct ibv_recv_wr **);
    void *reserved_c[5];
};

struct ibv_context {
    struct ibv_device *device;
    struct ibv_context_ops ops;
    int cmd_fd;
    int async_fd;
    int num_comp_vectors;
    pthread_mutex_t mutex;
    void *abi_compat; /* NULL: no extended verbs; callers fall back to the exported calls */
};

struct ibv_device_attr {
    char fw_ver[64];
    uint64_t node_guid;
    uint64_t sys_image_guid;
    uint64_t max_mr_size;
    uint64_t page_size_cap;
    uint32_t vendor_id;
    uint32_t vendor_part_id;
    uint32_t hw_ver;
    int max_qp;
    int max_qp_wr;
    unsigned int device_cap_flags;
    int max_sge;
    int max_sge_rd;
    int max_cq;
    int max_cqe;
    int max_mr;
    int max_pd;
    int max_qp_rd_atom;
    int max_ee_rd_atom;
    int max_res_rd_atom;
    int max_qp_init_rd_atom;
    int unused[13];
    int max_srq;
    int max_srq_wr;
    int max_srq_sge;
    uint16_t max_pkeys;
    uint8_t local_ca_ack_delay;
    uint8_t phys_port_cnt;
};

/* Without the fields that newer headers append: the exported entry point is the compat one and must not write them. */
struct ibv_port_attr {
    int state;
    int max_mtu;
    int active_mtu;
    int gid_tbl_len;
    uint32_t port_cap_flags;
    uint32_t max_msg_sz;
    uint32_t bad_pkey_cntr;
    uint32_t qkey_viol_cntr;
    uint16_t pkey_tbl_len;
    uint16_t lid;
    uint16_t sm_lid;
    uint8_t lmc;
    uint8_t max_vl_num;
    uint8_t sm_sl;
    uint8_t subnet_timeout;
    uint8_t init_type_reply;
    uint8_t active_width;
    uint8_t active_speed;
    uint8_t phys_state;
    uint8_t link_layer;
    uint8_t flags;
};

struct ibv_pd {
    struct ibv_context *context;
    uint32_t handle;
};

struct ibv_mr {
    struct ibv_context *context;
    struct ibv_pd *pd;
    void *addr;
    size_t length;
    uint32_t handle;
    uint32_t lkey;
    uint32_t rkey;
};

struct ibv_cq {
    struct ibv_context *context;
    void *channel;
    void *cq_context;
    uint32_t handle;
    int cqe;
};

struct ibv_qp {
    struct ibv_context *context;
    void *qp_context;
    struct ibv_pd *pd;
    struct ibv_cq *send_cq;
    struct ibv_cq *recv_cq;
    void *srq;
    uint32_t handle;
    uint32_t qp_num;
    int state;
    int qp_type;
};

struct ibv_qp_cap {
    uint32_t max_send_wr;
    uint32_t max_recv_wr;
    uint32_t max_send_sge;
    uint32_t max_recv_sge;
    uint32_t max_inline_data;
};

struct ibv_qp_init_attr {
    void *qp_context;
    struct ibv_cq *send_cq;
    struct ibv_cq *recv_cq;
    void *srq;
    struct ibv_qp_cap cap;
    int qp_type;
    int sq_sig_all;
};

struct ibv_ah_attr {
    union ibv_gid dgid;
    uint32_t flow_label;
    uint8_t sgid_index;
    uint8_t hop_limit;
    uint8_t traffic_class;
    uint16_t dlid;
    uint8_t sl;
    uint8_t src_path_bits;
    uint8_t static_rate;
    uint8_t is_global;
    uint8_t port_num;
};

struct ibv_qp_attr {
    int qp_state;
    int cur_qp_state;
    int path_mtu;
    int path_mig_state;
    uint32_t qkey;
    uint32_t rq_psn;
    uint32_t sq_psn;
    uint32_t dest_qp_num;
    unsigned int qp_access_flags;
    struct ibv_qp_cap cap;
    struct ibv_ah_attr ah_attr;
    struct ibv_ah_attr alt_ah_attr;
    uint16_t pkey_index;
    uint16_t alt_pkey_index;
    uint8_t en_sqd_async_notify;
    uint8_t sq_draining;
    uint8_t max_rd_atomic;
    uint8_t max_dest_rd_atomic;
    uint8_t min_rnr_timer;
    uint8_t port_num;
    uint8_t timeout;
    uint8_t retry_cnt;
    uint8_t rnr_retry;
    uint8_t alt_port_num;
    uint8_t alt_timeout;
    uint32_t rate_limit;
};

struct ibv_sge {
    uint64_t addr;
    uint32_t length;
    uint32_t lkey;
};

struct ibv_send_wr {
    uint64_t wr_id;
    struct ibv_send_wr *next;
    struct ibv_sge *sg_list;
    int num_sge;
    int opcode;
    unsigned int send_flags;
    uint32_t imm_data;
    struct {
        uint64_t remote_addr;
        uint32_t rkey;
    } rdma;
    uint8_t unused[72];
};

struct ibv_recv_wr {
    uint64_t wr_id;
    struct ibv_recv_wr *next;
    struct ibv_sge *sg_list;
    int num_sge;
};

struct ibv_wc {
    uint64_t wr_id;
    int status;
    int opcode;
    uint32_t vendor_err;
    uint32_t byte_len;
    uint32_t imm_data;
    uint32_t qp_num;
    uint32_t src_qp;
    unsigned int wc_flags;
    uint16_t pkey_index;
    uint16_t slid;
    uint8_t sl;
    uint8_t dlid_path_bits;
};

#define VTB_AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field)
#define VTB_SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)

VTB_SIZE(struct ibv_qp_cap, 20);
VTB_SIZE(struct ibv_qp_init_attr, 64);
VTB_SIZE(struct ibv_ah_attr, 32);
VTB_SIZE(struct ibv_qp_attr, 144);
VTB_SIZE(struct ibv_sge, 16);
VTB_SIZE(struct ibv_send_wr, 128);
VTB_SIZE(struct ibv_recv_wr, 32);
VTB_SIZE(struct ibv_wc, 48);
VTB_SIZE(union ibv_gid, 16);
VTB_SIZE(struct ibv_device_attr, 232);
VTB_SIZE(struct ibv_port_attr, 48);
VTB_AT(struct ibv_context, ops.poll_cq, 96);
VTB_AT(struct ibv_context, ops.req_notify_cq, 104);
VTB_AT(struct ibv_context, ops.post_send, 208);
VTB_AT(struct ibv_context, ops.post_recv, 216);
VTB_AT(struct ibv_context, cmd_fd, 264);
VTB_AT(struct ibv_device_attr, max_mr_size, 80);
VTB_AT(struct ibv_device_attr, max_qp, 108);
VTB_AT(struct ibv_device_attr, max_qp_wr, 112);
VTB_AT(struct ibv_device_attr, max_sge, 120);
VTB_AT(struct ibv_device_attr, max_cq, 128);
VTB_AT(struct ibv_device_attr, max_cqe, 132);
VTB_AT(struct ibv_device_attr, max_mr, 136);
VTB_AT(struct ibv_device_attr, max_pd, 140);
VTB_AT(struct ibv_device_attr, max_qp_rd_atom, 144);
VTB_AT(struct ibv_device_attr, max_srq, 212);
VTB_AT(struct ibv_device_attr, phys_port_cnt, 227);
VTB_AT(struct ibv_port_attr, state, 0);
VTB_AT(struct ibv_port_attr, active_mtu, 8);
VTB_AT(struct ibv_port_attr, gid_tbl_len, 12);
VTB_AT(struct ibv_port_attr, max_msg_sz, 20);
VTB_AT(struct ibv_port_attr, lid, 34);
VTB_AT(struct ibv_port_attr, active_width, 43);
VTB_AT(struct ibv_port_attr, active_speed, 44);
VTB_AT(struct ibv_port_attr, link_layer, 46);
VTB_AT(struct ibv_mr, addr, 16);
VTB_AT(struct ibv_mr, lkey, 36);
VTB_AT(struct ibv_mr, rkey, 40);
VTB_AT(struct ibv_qp, context, 0);
VTB_AT(struct ibv_qp, qp_num, 52);
VTB_AT(struct ibv_qp, state, 56);
VTB_AT(struct ibv_qp_init_attr, send_cq, 8);
VTB_AT(struct ibv_qp_init_attr, recv_cq, 16);
VTB_AT(struct ibv_qp_init_attr, cap, 32);
VTB_AT(struct ibv_qp_init_attr, cap.max_send_wr, 32);
VTB_AT(struct ibv_qp_init_attr, cap.max_recv_wr, 36);
VTB_AT(struct ibv_qp_init_attr, cap.max_send_sge, 40);
VTB_AT(struct ibv_qp_init_attr, cap.max_recv_sge, 44);
VTB_AT(struct ibv_qp_init_attr, qp_type, 52);
VTB_AT(struct ibv_qp_init_attr, sq_sig_all, 56);
VTB_AT(struct ibv_ah_attr, sgid_index, 20);
VTB_AT(struct ibv_ah_attr, dlid, 24);
VTB_AT(struct ibv_ah_attr, is_global, 29);
VTB_AT(struct ibv_ah_attr, port_num, 30);
VTB_AT(struct ibv_qp_attr, qp_state, 0);
VTB_AT(struct ibv_qp_attr, path_mtu, 8);
VTB_AT(struct ibv_qp_attr, rq_psn, 20);
VTB_AT(struct ibv_qp_attr, sq_psn, 24);
VTB_AT(struct ibv_qp_attr, dest_qp_num, 28);
VTB_AT(struct ibv_qp_attr, qp_access_flags, 32);
VTB_AT(struct ibv_qp_attr, cap, 36);
VTB_AT(struct ibv_qp_attr, cap.max_send_wr, 36);
VTB_AT(struct ibv_qp_attr, cap.max_recv_wr, 40);
VTB_AT(struct ibv_qp_attr, ah_attr, 56);
VTB_AT(struct ibv_qp_attr, ah_attr.dgid, 56);
VTB_AT(struct ibv_qp_attr, ah_attr.sgid_index, 76);
VTB_AT(struct ibv_qp_attr, ah_attr.hop_limit, 77);
VTB_AT(struct ibv_qp_attr, ah_attr.dlid, 80);
VTB_AT(struct ibv_qp_attr, ah_attr.is_global, 85);
VTB_AT(struct ibv_qp_attr, ah_attr.port_num, 86);
VTB_AT(struct ibv_qp_attr, pkey_index, 120);
VTB_AT(struct ibv_qp_attr, max_rd_atomic, 126);
VTB_AT(struct ibv_qp_attr, max_dest_rd_atomic, 127);
VTB_AT(struct ibv_qp_attr, min_rnr_timer, 128);
VTB_AT(struct ibv_qp_attr, port_num, 129);
VTB_AT(struct ibv_qp_attr, timeout, 130);
VTB_AT(struct ibv_qp_attr, retry_cnt, 131);
VTB_AT(struct ibv_qp_attr, rnr_retry, 132);
VTB_AT(struct ibv_send_wr, wr_id, 0);
VTB_AT(struct ibv_send_wr, next, 8);
VTB_AT(struct ibv_send_wr, sg_list, 16);
VTB_AT(struct ibv_send_wr, num_sge, 24);
VTB_AT(struct ibv_send_wr, opcode, 28);
VTB_AT(struct ibv_send_wr, send_flags, 32);
VTB_AT(struct ibv_send_wr, rdma.remote_addr, 40);
VTB_AT(struct ibv_send_wr, rdma.rkey, 48);
VTB_AT(struct ibv_wc, wr_id, 0);
VTB_AT(struct ibv_wc, status, 8);
VTB_AT(struct ibv_wc, opcode, 12);
VTB_AT(struct ibv_wc, vendor_err, 16);
VTB_AT(struct ibv_wc, byte_len, 20);
VTB_AT(struct ibv_wc, qp_num, 28);
VTB_AT(struct ibv_wc, wc_flags, 36);
VTB_AT(struct ibv_cq, context, 0);
VTB_AT(struct ibv_sge, addr, 0);
VTB_AT(struct ibv_sge, length, 8);
VTB_AT(struct ibv_sge, lkey, 12);
VTB_AT(struct ibv_recv_wr, wr_id, 0);
VTB_AT(struct ibv_recv_wr, next, 8);
VTB_AT(struct ibv_recv_wr, sg_list, 16);
VTB_AT(struct ibv_recv_wr, num_sge, 24);

/* The exported calls. */
#pragma GCC visibility push(default)
struct ibv_device **ibv_get_device_list(int *count);
void ibv_free_device_list(struct ibv_device **list);
const char *ibv_get_device_name(struct ibv_device *device);
uint64_t ibv_get_device_guid(struct ibv_device *device);
struct ibv_context *ibv_open_device(struct ibv_device *device);
int ibv_close_device(struct ibv_context *context);
int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr);
int ibv_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr);
int ibv_query_gid(struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid);
int ibv_query_pkey(struct ibv_context *context, uint8_t port, int index, uint16_t *pkey);
struct ibv_pd *ibv_alloc_pd(struct ibv_context *context);
int ibv_dealloc_pd(struct ibv_pd *pd);
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access);
struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, unsigned int access);
int ibv_dereg_mr(struct ibv_mr *mr);
struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context, void *channel, int vector);
int ibv_destroy_cq(struct ibv_cq *cq);
struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);
int ibv_destroy_qp(struct ibv_qp *qp);
int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init);
const char *ibv_wc_status_str(int status);
#pragma GCC visibility pop

static inline int ibv_poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wc) {
    return cq->context->ops.poll_cq(cq, entries, wc);
}

static inline int ibv_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
    return qp->context->ops.post_send(qp, wr, bad);
}

static inline int ibv_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
    return qp->context->ops.post_recv(qp, wr, bad);
}

#endif
