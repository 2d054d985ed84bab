/*
 * Prints what the verbs header of this machine says of every number the Java binding relies on, one "name value" per
 * line:
 *
 *     cc abi_audit.c -o abi_audit && ./abi_audit
 *
 * Compiles against rdma-core's header and against the one in Apple's SDK. Calls nothing, so it links no library.
 * AbiAuditTest runs it and compares; a name printed here and unknown there, or the reverse, is a failure.
 */
#include <stddef.h>
#include <stdio.h>

#if defined(__has_include)
#if !__has_include(<infiniband/verbs.h>)
#error "no verbs header"
#endif
#endif
#include <infiniband/verbs.h>

#define SIZE(type) printf(#type ".size %zu\n", sizeof(struct type))
#define OFFSET(type, name, member) printf(#type "." #name " %zu\n", offsetof(struct type, member))
#define MEMBER(type, member) OFFSET(type, member, member)
#define CONST(name) printf(#name " %ld\n", (long)(name))

static void structs(void) {
    OFFSET(ibv_context, ops_poll_cq, ops.poll_cq);
    OFFSET(ibv_context, ops_post_send, ops.post_send);
    OFFSET(ibv_context, ops_post_recv, ops.post_recv);

    MEMBER(ibv_cq, context);
    MEMBER(ibv_qp, context);
    MEMBER(ibv_qp, qp_num);
    MEMBER(ibv_mr, lkey);
    MEMBER(ibv_mr, rkey);

    SIZE(ibv_qp_init_attr);
    MEMBER(ibv_qp_init_attr, send_cq);
    MEMBER(ibv_qp_init_attr, recv_cq);
    OFFSET(ibv_qp_init_attr, cap_max_send_wr, cap.max_send_wr);
    OFFSET(ibv_qp_init_attr, cap_max_recv_wr, cap.max_recv_wr);
    OFFSET(ibv_qp_init_attr, cap_max_send_sge, cap.max_send_sge);
    OFFSET(ibv_qp_init_attr, cap_max_recv_sge, cap.max_recv_sge);
    MEMBER(ibv_qp_init_attr, qp_type);

    SIZE(ibv_qp_attr);
    MEMBER(ibv_qp_attr, qp_state);
    MEMBER(ibv_qp_attr, path_mtu);
    MEMBER(ibv_qp_attr, rq_psn);
    MEMBER(ibv_qp_attr, sq_psn);
    MEMBER(ibv_qp_attr, dest_qp_num);
    MEMBER(ibv_qp_attr, qp_access_flags);
    OFFSET(ibv_qp_attr, cap_max_send_wr, cap.max_send_wr);
    OFFSET(ibv_qp_attr, cap_max_recv_wr, cap.max_recv_wr);
    OFFSET(ibv_qp_attr, ah_attr_grh_dgid, ah_attr.grh.dgid);
    OFFSET(ibv_qp_attr, ah_attr_grh_sgid_index, ah_attr.grh.sgid_index);
    OFFSET(ibv_qp_attr, ah_attr_grh_hop_limit, ah_attr.grh.hop_limit);
    OFFSET(ibv_qp_attr, ah_attr_dlid, ah_attr.dlid);
    OFFSET(ibv_qp_attr, ah_attr_is_global, ah_attr.is_global);
    OFFSET(ibv_qp_attr, ah_attr_port_num, ah_attr.port_num);
    MEMBER(ibv_qp_attr, pkey_index);
    MEMBER(ibv_qp_attr, max_rd_atomic);
    MEMBER(ibv_qp_attr, max_dest_rd_atomic);
    MEMBER(ibv_qp_attr, min_rnr_timer);
    MEMBER(ibv_qp_attr, port_num);
    MEMBER(ibv_qp_attr, timeout);
    MEMBER(ibv_qp_attr, retry_cnt);
    MEMBER(ibv_qp_attr, rnr_retry);

    SIZE(ibv_sge);
    MEMBER(ibv_sge, addr);
    MEMBER(ibv_sge, length);
    MEMBER(ibv_sge, lkey);

    SIZE(ibv_send_wr);
    MEMBER(ibv_send_wr, wr_id);
    MEMBER(ibv_send_wr, next);
    MEMBER(ibv_send_wr, sg_list);
    MEMBER(ibv_send_wr, num_sge);
    MEMBER(ibv_send_wr, opcode);
    MEMBER(ibv_send_wr, send_flags);
    OFFSET(ibv_send_wr, wr_rdma_remote_addr, wr.rdma.remote_addr);
    OFFSET(ibv_send_wr, wr_rdma_rkey, wr.rdma.rkey);

    SIZE(ibv_recv_wr);
    MEMBER(ibv_recv_wr, wr_id);
    MEMBER(ibv_recv_wr, next);
    MEMBER(ibv_recv_wr, sg_list);
    MEMBER(ibv_recv_wr, num_sge);

    SIZE(ibv_wc);
    MEMBER(ibv_wc, wr_id);
    MEMBER(ibv_wc, status);
    MEMBER(ibv_wc, opcode);
    MEMBER(ibv_wc, vendor_err);
    MEMBER(ibv_wc, byte_len);

    SIZE(ibv_port_attr);
    MEMBER(ibv_port_attr, state);
    MEMBER(ibv_port_attr, active_mtu);
    MEMBER(ibv_port_attr, gid_tbl_len);
    MEMBER(ibv_port_attr, max_msg_sz);
    MEMBER(ibv_port_attr, lid);
    MEMBER(ibv_port_attr, active_width);
    MEMBER(ibv_port_attr, active_speed);
    MEMBER(ibv_port_attr, link_layer);

    SIZE(ibv_device_attr);
    MEMBER(ibv_device_attr, max_mr_size);
    MEMBER(ibv_device_attr, max_qp);
    MEMBER(ibv_device_attr, max_qp_wr);
    MEMBER(ibv_device_attr, max_sge);
    MEMBER(ibv_device_attr, max_cq);
    MEMBER(ibv_device_attr, max_cqe);
    MEMBER(ibv_device_attr, max_mr);
    MEMBER(ibv_device_attr, max_pd);
    MEMBER(ibv_device_attr, max_qp_rd_atom);
    MEMBER(ibv_device_attr, phys_port_cnt);
}

static void constants(void) {
    CONST(IBV_QPT_RC);
    CONST(IBV_QPT_UC);

    CONST(IBV_QPS_INIT);
    CONST(IBV_QPS_RTR);
    CONST(IBV_QPS_RTS);
    CONST(IBV_QPS_ERR);

    CONST(IBV_QP_STATE);
    CONST(IBV_QP_ACCESS_FLAGS);
    CONST(IBV_QP_PKEY_INDEX);
    CONST(IBV_QP_PORT);
    CONST(IBV_QP_AV);
    CONST(IBV_QP_PATH_MTU);
    CONST(IBV_QP_TIMEOUT);
    CONST(IBV_QP_RETRY_CNT);
    CONST(IBV_QP_RNR_RETRY);
    CONST(IBV_QP_RQ_PSN);
    CONST(IBV_QP_MAX_QP_RD_ATOMIC);
    CONST(IBV_QP_MIN_RNR_TIMER);
    CONST(IBV_QP_SQ_PSN);
    CONST(IBV_QP_MAX_DEST_RD_ATOMIC);
    CONST(IBV_QP_CAP);
    CONST(IBV_QP_DEST_QPN);

    CONST(IBV_WR_SEND);
    CONST(IBV_WR_RDMA_READ);
    CONST(IBV_SEND_SIGNALED);

    CONST(IBV_ACCESS_LOCAL_WRITE);
    CONST(IBV_ACCESS_REMOTE_WRITE);
    CONST(IBV_ACCESS_REMOTE_READ);

    CONST(IBV_PORT_DOWN);
    CONST(IBV_PORT_INIT);
    CONST(IBV_PORT_ARMED);
    CONST(IBV_PORT_ACTIVE);

    CONST(IBV_LINK_LAYER_INFINIBAND);
    CONST(IBV_LINK_LAYER_ETHERNET);

    CONST(IBV_WC_RECV);
}

static void statuses(void) {
    CONST(IBV_WC_SUCCESS);
    CONST(IBV_WC_LOC_LEN_ERR);
    CONST(IBV_WC_LOC_QP_OP_ERR);
    CONST(IBV_WC_LOC_EEC_OP_ERR);
    CONST(IBV_WC_LOC_PROT_ERR);
    CONST(IBV_WC_WR_FLUSH_ERR);
    CONST(IBV_WC_MW_BIND_ERR);
    CONST(IBV_WC_BAD_RESP_ERR);
    CONST(IBV_WC_LOC_ACCESS_ERR);
    CONST(IBV_WC_REM_INV_REQ_ERR);
    CONST(IBV_WC_REM_ACCESS_ERR);
    CONST(IBV_WC_REM_OP_ERR);
    CONST(IBV_WC_RETRY_EXC_ERR);
    CONST(IBV_WC_RNR_RETRY_EXC_ERR);
    CONST(IBV_WC_LOC_RDD_VIOL_ERR);
    CONST(IBV_WC_REM_INV_RD_REQ_ERR);
    CONST(IBV_WC_REM_ABORT_ERR);
    CONST(IBV_WC_INV_EECN_ERR);
    CONST(IBV_WC_INV_EEC_STATE_ERR);
    CONST(IBV_WC_FATAL_ERR);
    CONST(IBV_WC_RESP_TIMEOUT_ERR);
    CONST(IBV_WC_GENERAL_ERR);
}

int main(void) {
    structs();
    constants();
    statuses();
    return 0;
}
