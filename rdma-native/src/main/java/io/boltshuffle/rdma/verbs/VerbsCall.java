package io.boltshuffle.rdma.verbs;

/** The calls that this binding makes, as errors name them. */
enum VerbsCall {
    GET_DEVICE_LIST("ibv_get_device_list"),
    OPEN_DEVICE("ibv_open_device"),
    CLOSE_DEVICE("ibv_close_device"),
    QUERY_DEVICE("ibv_query_device"),
    QUERY_PORT("ibv_query_port"),
    QUERY_GID("ibv_query_gid"),
    ALLOC_PD("ibv_alloc_pd"),
    DEALLOC_PD("ibv_dealloc_pd"),
    REG_MR("ibv_reg_mr"),
    DEREG_MR("ibv_dereg_mr"),
    CREATE_CQ("ibv_create_cq"),
    DESTROY_CQ("ibv_destroy_cq"),
    CREATE_QP("ibv_create_qp"),
    DESTROY_QP("ibv_destroy_qp"),
    QUERY_QP("ibv_query_qp"),
    MODIFY_QP_INIT("ibv_modify_qp(INIT)"),
    MODIFY_QP_RTR("ibv_modify_qp(RTR)"),
    MODIFY_QP_RTS("ibv_modify_qp(RTS)"),
    MODIFY_QP_ERR("ibv_modify_qp(ERR)"),
    POST_SEND("ibv_post_send"),
    POST_RECV("ibv_post_recv"),
    POLL_CQ("ibv_poll_cq");

    private final String text;

    VerbsCall(String text) {
        this.text = text;
    }

    /** Returns the C spelling. */
    @Override
    public String toString() {
        return text;
    }
}
