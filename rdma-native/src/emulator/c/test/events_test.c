/* Layer 8, programs. Completion channels, as the Linux profile has them. */
#include "harness.h"

#include <errno.h>
#include <poll.h>

enum { FRAME = 4096, LONG_MS = 5000, SHORT_MS = 50 };

/* A connected pair whose right end has a second completion queue, which announces: for its receives. */
struct announced {
    struct pair pair;
    struct ibv_comp_channel *channel;
    struct ibv_cq *cq;
    int context;
};

static bool readable(const struct announced *announced, int milliseconds) {
    struct pollfd fd = {.fd = announced->channel->fd, .events = POLLIN};
    return poll(&fd, 1, milliseconds) == 1;
}

/* The pair's right end gets a queue pair that completes on a queue with a channel, before it is connected. */
static void open_announced(struct announced *announced) {
    struct kit_wish wish = {.type = IBV_QPT_RC, .bytes = 1 << 20, .depth = 64};
    struct kit_end *left = &announced->pair.left;
    struct kit_end *right = &announced->pair.right;
    EXPECT_EQUAL(kit_open(left, "rdma_en5", &wish), 0);
    EXPECT_EQUAL(kit_open(right, "rdma_en6", &wish), 0);
    EXPECT(announced->channel = ibv_create_comp_channel(right->context));
    EXPECT_EQUAL(ibv_destroy_qp(right->qp), 0);
    EXPECT_EQUAL(ibv_destroy_cq(right->cq), 0);
    EXPECT(right->cq = ibv_create_cq(right->context, 129, &announced->context, announced->channel, 0));
    struct ibv_qp_init_attr attr = {
        .send_cq = right->cq, .recv_cq = right->cq, .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = 64, .max_recv_wr = 64, .max_send_sge = 1, .max_recv_sge = 1}};
    EXPECT(right->qp = ibv_create_qp(right->pd, &attr));
    struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_LOCAL_WRITE};
    EXPECT_EQUAL(ibv_modify_qp(right->qp, &init,
                               IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS), 0);
    announced->cq = right->cq;
    struct kit_address left_address = kit_address(left);
    struct kit_address right_address = kit_address(right);
    EXPECT_EQUAL(kit_connect(left, &right_address), 0);
    EXPECT_EQUAL(kit_connect(right, &left_address), 0);
}

static void close_announced(struct announced *announced) {
    kit_close(&announced->pair.left);
    EXPECT_EQUAL(ibv_destroy_qp(announced->pair.right.qp), 0);
    EXPECT_EQUAL(ibv_destroy_cq(announced->cq), 0);
    EXPECT_EQUAL(ibv_destroy_comp_channel(announced->channel), 0);
    EXPECT_EQUAL(ibv_dereg_mr(announced->pair.right.mr), 0);
    EXPECT_EQUAL(ibv_dealloc_pd(announced->pair.right.pd), 0);
    EXPECT_EQUAL(ibv_close_device(announced->pair.right.context), 0);
}

static void move_one(struct announced *announced) {
    EXPECT_EQUAL(kit_receive(&announced->pair.right, 0, 0, FRAME), 0);
    EXPECT_EQUAL(kit_send(&announced->pair.left, 0, 0, FRAME), 0);
    await_status(&announced->pair.left, IBV_WC_SUCCESS);
}

static void take_event(struct announced *announced) {
    struct ibv_cq *cq = NULL;
    void *context = NULL;
    EXPECT(readable(announced, LONG_MS));
    EXPECT_EQUAL(ibv_get_cq_event(announced->channel, &cq, &context), 0);
    EXPECT(cq == announced->cq);
    EXPECT(context == &announced->context);
    ibv_ack_cq_events(cq, 1);
}

static void an_armed_queue_announces_once(void) {
    struct announced announced;
    open_announced(&announced);
    EXPECT_EQUAL(ibv_req_notify_cq(announced.cq, 0), 0);
    EXPECT(!readable(&announced, SHORT_MS));
    move_one(&announced);
    take_event(&announced);
    move_one(&announced);
    EXPECT(!readable(&announced, SHORT_MS));
    await_status(&announced.pair.right, IBV_WC_SUCCESS);
    await_status(&announced.pair.right, IBV_WC_SUCCESS);
    close_announced(&announced);
}

/* A program that does not look once more after it has armed the queue waits for ever. */
static void what_came_before_is_not_announced(void) {
    struct announced announced;
    open_announced(&announced);
    move_one(&announced);
    EXPECT_EQUAL(ibv_req_notify_cq(announced.cq, 0), 0);
    EXPECT(!readable(&announced, SHORT_MS));
    await_status(&announced.pair.right, IBV_WC_SUCCESS);
    EXPECT(!readable(&announced, SHORT_MS));
    move_one(&announced);
    take_event(&announced);
    close_announced(&announced);
}

static void a_queue_is_destroyed_after_its_events_are_acknowledged(void) {
    struct announced announced;
    struct ibv_cq *cq;
    void *context;
    open_announced(&announced);
    EXPECT_EQUAL(ibv_req_notify_cq(announced.cq, 0), 0);
    move_one(&announced);
    EXPECT_EQUAL(ibv_get_cq_event(announced.channel, &cq, &context), 0);
    EXPECT_EQUAL(ibv_destroy_comp_channel(announced.channel), EBUSY);
    EXPECT_EQUAL(ibv_destroy_qp(announced.pair.right.qp), 0);
    EXPECT_EQUAL(ibv_destroy_cq(announced.cq), EBUSY);
    ibv_ack_cq_events(cq, 1);
    announced.pair.right.qp = NULL;
    EXPECT_EQUAL(ibv_destroy_cq(announced.cq), 0);
    EXPECT_EQUAL(ibv_destroy_comp_channel(announced.channel), 0);
}

static void apples_devices_announce_nothing(void) {
    struct kit_wish wish = {.type = IBV_QPT_UC, .bytes = 1 << 20, .depth = 64};
    struct kit_end end;
    EXPECT_EQUAL(kit_open(&end, "rdma_en5", &wish), 0);
    errno = 0;
    EXPECT(!ibv_create_comp_channel(end.context));
    EXPECT_EQUAL(errno, EOPNOTSUPP);
    EXPECT_EQUAL(ibv_req_notify_cq(end.cq, 0), EOPNOTSUPP);
    kit_close(&end);
}

const struct test event_tests[] = {
    {"anArmedQueueAnnouncesOnce", "profile linux", an_armed_queue_announces_once},
    {"whatCameBeforeIsNotAnnounced", "profile linux", what_came_before_is_not_announced},
    {"aQueueIsDestroyedAfterItsEventsAreAcknowledged", "profile linux",
     a_queue_is_destroyed_after_its_events_are_acknowledged},
    {"applesDevicesAnnounceNothing", "", apples_devices_announce_nothing},
    {NULL, NULL, NULL},
};
