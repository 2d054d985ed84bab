#include "kit.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 1 << 21 };

struct ibv_context *kit_open_device(const char *name) {
    struct ibv_context *context = NULL;
    struct ibv_device **list = ibv_get_device_list(NULL);
    errno = ENODEV;
    for (int i = 0; list && list[i] && !context; i++) {
        if (!name || !strcmp(ibv_get_device_name(list[i]), name)) {
            context = ibv_open_device(list[i]);
        }
    }
    if (list) {
        ibv_free_device_list(list);
    }
    return context;
}

/* The GID that carries an IPv4 address, wherever it stands. */
static int find_gid(struct ibv_context *context) {
    static const uint8_t prefix[12] = {[10] = 0xff, [11] = 0xff};
    union ibv_gid gid;
    for (int i = 0; ibv_query_gid(context, 1, i, &gid) == 0; i++) {
        if (!memcmp(gid.raw, prefix, sizeof prefix)) {
            return i;
        }
    }
    /* None: the 27.0 layout, where a link-local one stands last. */
    for (int i = 0; ibv_query_gid(context, 1, i, &gid) == 0; i++) {
        if (gid.raw[0] == 0xfe) {
            return i;
        }
    }
    return -1;
}

static void *map_aligned(size_t bytes) {
    void *memory = mmap(NULL, bytes + ALIGNMENT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    uintptr_t start = (uintptr_t) memory;
    uintptr_t aligned = (start + ALIGNMENT - 1) & ~(uintptr_t) (ALIGNMENT - 1);
    if (aligned > start) {
        munmap(memory, aligned - start);
    }
    munmap((void *) (aligned + bytes), ALIGNMENT - (aligned - start));
    return (void *) aligned;
}

static bool crosses_4_gib(const void *memory, size_t bytes) {
    uint64_t start = (uintptr_t) memory;
    return start >> 32 != (start + bytes - 1) >> 32;
}

/* Not across a 4 GiB boundary, where Apple's device loses its way; the next mapping lies elsewhere. */
static void *map(size_t bytes) {
    void *memory = map_aligned(bytes);
    if (memory && crosses_4_gib(memory, bytes)) {
        void *unlucky = memory;
        memory = map_aligned(bytes);
        munmap(unlucky, bytes);
    }
    return memory;
}

static int initialize(struct kit_end *end, const struct kit_wish *wish) {
    struct ibv_qp_attr attr = {
        .qp_state = IBV_QPS_INIT,
        .port_num = 1,
        .qp_access_flags = wish->type == IBV_QPT_RC ? IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ : 0,
    };
    struct ibv_qp_init_attr init;
    int rc = ibv_modify_qp(end->qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    if (rc == 0) {
        rc = ibv_query_qp(end->qp, &attr, IBV_QP_CAP, &init);
        end->send_depth = attr.cap.max_send_wr;
        end->receive_depth = attr.cap.max_recv_wr;
    }
    return rc;
}

static int make(struct kit_end *end, const char *device, const struct kit_wish *wish) {
    int access = wish->type == IBV_QPT_RC ? IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ : IBV_ACCESS_LOCAL_WRITE;
    struct ibv_qp_init_attr attr = {
        .cap = {.max_send_wr = wish->depth, .max_recv_wr = wish->depth, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = wish->type,
    };
    if (!(end->context = kit_open_device(device))
            || !(end->pd = ibv_alloc_pd(end->context))
            || !(end->memory = map(wish->bytes))
            || !(end->mr = ibv_reg_mr(end->pd, end->memory, wish->bytes, access))
            || !(end->cq = ibv_create_cq(end->context, (int) wish->depth + 1, NULL, NULL, 0))) {
        return errno;
    }
    attr.send_cq = end->cq;
    attr.recv_cq = end->cq;
    end->bytes = wish->bytes;
    end->gid_index = find_gid(end->context);
    end->qp = ibv_create_qp(end->pd, &attr);
    return end->qp ? initialize(end, wish) : errno;
}

int kit_open(struct kit_end *end, const char *device, const struct kit_wish *wish) {
    *end = (struct kit_end){.context = NULL};
    int error = make(end, device, wish);
    if (error) {
        kit_close(end);
    }
    return error;
}

void kit_close(struct kit_end *end) {
    if (end->qp) {
        ibv_destroy_qp(end->qp);
    }
    if (end->cq) {
        ibv_destroy_cq(end->cq);
    }
    if (end->mr) {
        ibv_dereg_mr(end->mr);
    }
    if (end->memory) {
        munmap(end->memory, end->bytes);
    }
    if (end->pd) {
        ibv_dealloc_pd(end->pd);
    }
    if (end->context) {
        ibv_close_device(end->context);
    }
    *end = (struct kit_end){.context = NULL};
}

struct kit_address kit_address(const struct kit_end *end) {
    struct kit_address address = {
        .memory = (uintptr_t) end->memory,
        .rkey = end->mr->rkey,
        .number = end->qp->qp_num,
    };
    ibv_query_gid(end->context, 1, end->gid_index, &address.gid);
    return address;
}

int kit_ready_to_receive(struct kit_end *end, const struct kit_address *peer) {
    int mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
    struct ibv_qp_attr attr = {
        .qp_state = IBV_QPS_RTR,
        .path_mtu = IBV_MTU_4096,
        .dest_qp_num = peer->number,
        .max_dest_rd_atomic = 16,
        .min_rnr_timer = 12,
        .ah_attr = {
            .dgid = peer->gid,
            .sgid_index = (uint8_t) end->gid_index,
            .hop_limit = 1,
            .is_global = 1,
            .port_num = 1,
        },
    };
    if (end->qp->qp_type == IBV_QPT_RC) {
        mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
    }
    return ibv_modify_qp(end->qp, &attr, mask);
}

int kit_ready_to_send(struct kit_end *end) {
    int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
    struct ibv_qp_attr attr = {
        .qp_state = IBV_QPS_RTS, .timeout = 12, .retry_cnt = 3, .rnr_retry = 7, .max_rd_atomic = 16};
    if (end->qp->qp_type == IBV_QPT_RC) {
        mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
    }
    return ibv_modify_qp(end->qp, &attr, mask);
}

int kit_connect(struct kit_end *end, const struct kit_address *peer) {
    int rc = kit_ready_to_receive(end, peer);
    return rc ? rc : kit_ready_to_send(end);
}

static struct ibv_sge range(const struct kit_end *end, size_t offset, uint32_t length) {
    return (struct ibv_sge){(uintptr_t) end->memory + offset, length, end->mr->lkey};
}

int kit_send(struct kit_end *end, uint64_t id, size_t offset, uint32_t length) {
    struct ibv_sge sge = range(end, offset, length);
    struct ibv_send_wr wr = {
        .wr_id = id, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED};
    struct ibv_send_wr *bad;
    return ibv_post_send(end->qp, &wr, &bad);
}

int kit_receive(struct kit_end *end, uint64_t id, size_t offset, uint32_t length) {
    struct ibv_sge sge = range(end, offset, length);
    struct ibv_recv_wr wr = {.wr_id = id, .sg_list = &sge, .num_sge = 1};
    struct ibv_recv_wr *bad;
    return ibv_post_recv(end->qp, &wr, &bad);
}

int kit_read(struct kit_end *end, const struct kit_address *peer, uint64_t id, size_t from, size_t to,
             uint32_t length) {
    struct ibv_sge sge = range(end, to, length);
    struct ibv_send_wr wr = {
        .wr_id = id,
        .sg_list = &sge,
        .num_sge = 1,
        .opcode = IBV_WR_RDMA_READ,
        .send_flags = IBV_SEND_SIGNALED,
        .rdma = {.remote_addr = peer->memory + from, .rkey = peer->rkey},
    };
    struct ibv_send_wr *bad;
    return ibv_post_send(end->qp, &wr, &bad);
}

int kit_exchange(int socket, const void *mine, void *theirs, size_t size) {
    if (write(socket, mine, size) != (ssize_t) size) {
        return errno;
    }
    for (size_t got = 0; got < size;) {
        ssize_t rc = read(socket, (char *) theirs + got, size - got);
        if (rc <= 0) {
            return rc ? errno : EPIPE;
        }
        got += (size_t) rc;
    }
    return 0;
}
