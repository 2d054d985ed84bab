/* Layer 8, programs. What the virtual devices refuse, and how they say so. */
#include "harness.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { FRAME = 4096 };

static struct kit_end open_end(const char *device, uint32_t depth) {
    struct kit_end end;
    struct kit_wish wish = {.type = IBV_QPT_UC, .bytes = 1 << 20, .depth = depth};
    EXPECT_EQUAL(kit_open(&end, device, &wish), 0);
    return end;
}

static void granted_depth_differs_from_the_request(void) {
    static const struct { uint32_t asked; uint32_t granted; } seen[] = {
        {1, 1023}, {256, 1023}, {1023, 1023}, {1024, 2047}, {4095, 4095}};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        struct kit_end end = open_end("rdma_en5", seen[i].asked);
        EXPECT_EQUAL(end.send_depth, seen[i].granted);
        EXPECT_EQUAL(end.receive_depth, seen[i].granted);
        kit_close(&end);
    }
}

static void depth_counts_frames_and_overposting_is_refused(void) {
    struct pair pair;
    pair_open(&pair);
    for (uint32_t frames = 0; frames + 256 <= pair.right.receive_depth; frames += 256) {
        EXPECT_EQUAL(kit_receive(&pair.right, 0, 0, 256 * FRAME), 0);
    }
    EXPECT_EQUAL(kit_receive(&pair.right, 0, 0, 256 * FRAME), -12);
    EXPECT_EQUAL(kit_receive(&pair.right, 0, 0, 255 * FRAME), 0);
    EXPECT_EQUAL(kit_receive(&pair.right, 0, 0, 1), -12);
    EXPECT_EQUAL(kit_send(&pair.left, 0, 0, 256 * FRAME), 0);
    await_status(&pair.right, IBV_WC_SUCCESS);
    EXPECT_EQUAL(kit_receive(&pair.right, 0, 0, 256 * FRAME), 0);
    pair_close(&pair);
}

/* The request that was one too many was accepted and lost: what comes later lands elsewhere than was meant. */
static void overposting_can_be_accepted_and_then_corrupts(void) {
    struct pair pair;
    pair_open(&pair);
    for (uint32_t i = 0; i < 15; i++) {
        EXPECT_EQUAL(kit_receive(&pair.right, i, i * 256 * FRAME, 256 * FRAME), 0);
    }
    EXPECT_EQUAL(kit_receive(&pair.right, 15, 0, 256 * FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 0, 0, 256 * FRAME), 0);
    EXPECT_EQUAL(await(&pair.right).wr_id, 0);
    EXPECT_EQUAL(kit_receive(&pair.right, 16, 0, 256 * FRAME), 0);
    for (uint32_t i = 1; i < 15; i++) {
        EXPECT_EQUAL(kit_send(&pair.left, 0, 0, 256 * FRAME), 0);
        EXPECT_EQUAL(await(&pair.right).wr_id, i);
        await_status(&pair.left, IBV_WC_SUCCESS);
    }
    EXPECT_EQUAL(kit_send(&pair.left, 0, 0, 256 * FRAME), 0);
    EXPECT_EQUAL(await(&pair.right).wr_id, 16);
    pair_close(&pair);
}

static void a_refused_post_is_negative_and_names_no_request(void) {
    struct pair pair;
    pair_open(&pair);
    struct ibv_sge two[2] = {{(uintptr_t) pair.left.memory, 8, pair.left.mr->lkey}};
    two[1] = two[0];
    struct ibv_send_wr wr = {.sg_list = two, .num_sge = 2, .opcode = IBV_WR_SEND};
    struct ibv_send_wr *bad = (void *) 1;
    EXPECT_EQUAL(ibv_post_send(pair.left.qp, &wr, &bad), -22);
    EXPECT(bad == (void *) 1);
    EXPECT_EQUAL(kit_send(&pair.left, 0, 0, 4096 * FRAME), -22);
    EXPECT_EQUAL(kit_receive(&pair.left, 0, 0, 4096 * FRAME), -22);
    pair_close(&pair);
}

static void on_linux_a_refused_post_is_positive_and_names_the_request(void) {
    struct pair pair;
    pair_open(&pair);
    struct ibv_sge sge = {(uintptr_t) pair.left.memory, 8, pair.left.mr->lkey};
    struct ibv_send_wr second = {.sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_READ};
    struct ibv_send_wr first = {.sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND, .next = &second};
    struct ibv_send_wr *bad = NULL;
    EXPECT_EQUAL(ibv_post_send(pair.left.qp, &first, &bad), EINVAL);
    EXPECT(bad == &second);
    pair_close(&pair);
}

static void receives_before_rtr_are_refused(void) {
    struct kit_end end = open_end("rdma_en5", 10);
    EXPECT_EQUAL(kit_receive(&end, 0, 0, FRAME), -22);
    EXPECT_EQUAL(kit_send(&end, 0, 0, FRAME), -22);
    kit_close(&end);
}

static void receives_before_rtr_are_taken(void) {
    struct kit_end end = open_end("rdma_en5", 10);
    EXPECT_EQUAL(kit_receive(&end, 0, 0, FRAME), 0);
    kit_close(&end);
}

static void expect_type_refused(int type) {
    struct kit_end end = open_end("rdma_en5", 10);
    struct ibv_qp_init_attr attr = {
        .send_cq = end.cq, .recv_cq = end.cq, .qp_type = type,
        .cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1}};
    errno = 0;
    EXPECT(!ibv_create_qp(end.pd, &attr));
    EXPECT_EQUAL(errno, 102);
    kit_close(&end);
}

static void rc_and_ud_are_refused(void) {
    expect_type_refused(IBV_QPT_RC);
    expect_type_refused(IBV_QPT_UD);
}

static struct ibv_qp *one_more(struct kit_end *end) {
    struct ibv_qp_init_attr attr = {
        .send_cq = end->cq, .recv_cq = end->cq, .qp_type = IBV_QPT_UC,
        .cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1}};
    errno = 0;
    return ibv_create_qp(end->pd, &attr);
}

static void expect_queue_pairs(int budget) {
    struct ibv_qp *more[16];
    struct kit_end end = open_end("rdma_en5", 10);
    for (int i = 1; i < budget; i++) {
        EXPECT(more[i] = one_more(&end));
    }
    EXPECT(!one_more(&end));
    EXPECT_EQUAL(errno, 16);
    EXPECT_EQUAL(ibv_destroy_qp(more[1]), 0);
    EXPECT(more[1] = one_more(&end));
    for (int i = 1; i < budget; i++) {
        EXPECT_EQUAL(ibv_destroy_qp(more[i]), 0);
    }
    kit_close(&end);
}

static void ten_queue_pairs(void) {
    expect_queue_pairs(10);
}

static void three_queue_pairs(void) {
    expect_queue_pairs(3);
}

static void regions_domains_and_queues_are_few(void) {
    static struct ibv_mr *regions[100];
    struct ibv_pd *domains[11];
    struct ibv_cq *queues[11];
    struct ibv_context *context = kit_open_device("rdma_en5");
    uint8_t *memory = mmap(NULL, FRAME, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    for (int i = 0; i < 11; i++) {
        EXPECT(domains[i] = ibv_alloc_pd(context));
        EXPECT(queues[i] = ibv_create_cq(context, 10, NULL, NULL, 0));
    }
    EXPECT(!ibv_alloc_pd(context));
    EXPECT(!ibv_create_cq(context, 10, NULL, NULL, 0));
    for (int i = 0; i < 100; i++) {
        EXPECT(regions[i] = ibv_reg_mr(domains[i % 11], memory, FRAME, IBV_ACCESS_LOCAL_WRITE));
        EXPECT_EQUAL(regions[i]->rkey, 0);
    }
    EXPECT(!ibv_reg_mr(domains[0], memory, FRAME, IBV_ACCESS_LOCAL_WRITE));
    EXPECT_EQUAL(ibv_dealloc_pd(domains[0]), EBUSY);
    for (int i = 0; i < 100; i++) {
        EXPECT_EQUAL(ibv_dereg_mr(regions[i]), 0);
    }
    for (int i = 0; i < 11; i++) {
        EXPECT_EQUAL(ibv_dealloc_pd(domains[i]), 0);
        EXPECT_EQUAL(ibv_destroy_cq(queues[i]), 0);
    }
    EXPECT_EQUAL(ibv_close_device(context), 0);
}

static void a_port_without_a_cable_is_down(void) {
    struct ibv_context *context = kit_open_device("rdma_en9");
    struct ibv_port_attr attr;
    EXPECT_EQUAL(ibv_query_port(context, 1, &attr), 0);
    EXPECT_EQUAL(attr.state, IBV_PORT_DOWN);
    EXPECT(!ibv_alloc_pd(context));
    ibv_close_device(context);
    context = kit_open_device("rdma_en5");
    EXPECT_EQUAL(ibv_query_port(context, 1, &attr), 0);
    EXPECT_EQUAL(attr.state, IBV_PORT_ACTIVE);
    EXPECT_EQUAL(attr.link_layer, 100);
    EXPECT_EQUAL(attr.max_msg_sz, 0x1000000);
    EXPECT_EQUAL(ibv_query_port(context, 2, &attr), EINVAL);
    ibv_close_device(context);
}

enum family { NOTHING, LINK_LOCAL, IPV4, UUID };

static enum family family_at(struct ibv_context *context, int index) {
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    union ibv_gid gid;
    if (ibv_query_gid(context, 1, index, &gid)) {
        return NOTHING;
    }
    return gid.raw[0] == 0xfe ? LINK_LOCAL : !memcmp(gid.raw, mapped, sizeof mapped) ? IPV4 : UUID;
}

static void expect_gids(enum family first, enum family second, enum family third) {
    struct ibv_context *context = kit_open_device("rdma_en5");
    EXPECT_EQUAL(family_at(context, 0), first);
    EXPECT_EQUAL(family_at(context, 1), second);
    EXPECT_EQUAL(family_at(context, 2), third);
    EXPECT_EQUAL(family_at(context, 3), NOTHING);
    ibv_close_device(context);
}

static void gids_of_26(void) {
    expect_gids(LINK_LOCAL, IPV4, LINK_LOCAL);
}

static void gids_of_26_ipv4_last(void) {
    expect_gids(LINK_LOCAL, LINK_LOCAL, IPV4);
}

static void gids_of_27(void) {
    expect_gids(UUID, LINK_LOCAL, NOTHING);
}

static void going_to_rtr_checks_the_path(void) {
    struct kit_end left = open_end("rdma_en5", 10);
    struct kit_end right = open_end("rdma_en6", 10);
    struct kit_end other = open_end("rdma_en2", 10);
    struct kit_address good = kit_address(&right);
    struct kit_address wrong = good;
    memset(&wrong.gid, 0, sizeof wrong.gid);
    EXPECT_EQUAL(kit_ready_to_receive(&left, &wrong), 22);
    wrong = kit_address(&other);
    EXPECT_EQUAL(kit_ready_to_receive(&left, &wrong), 60);
    wrong = good;
    wrong.number += 64;
    EXPECT_EQUAL(kit_ready_to_receive(&left, &wrong), 60);
    int index = left.gid_index;
    left.gid_index = 9;
    EXPECT_EQUAL(kit_ready_to_receive(&left, &good), 22);
    left.gid_index = 0; /* link-local here, IPv4 there */
    EXPECT_EQUAL(kit_ready_to_receive(&left, &good), 60);
    left.gid_index = index;
    EXPECT_EQUAL(kit_ready_to_send(&left), 22);
    EXPECT_EQUAL(kit_connect(&left, &good), 0);
    kit_close(&left);
    kit_close(&right);
    kit_close(&other);
}

static void a_failed_rtr_leaks_its_queue_pair(void) {
    for (int i = 0; i < 10; i++) {
        struct kit_end end = open_end("rdma_en5", 10);
        struct kit_address nobody = {.number = 77};
        EXPECT_EQUAL(kit_ready_to_receive(&end, &nobody), 22);
        kit_close(&end);
    }
    struct kit_end end;
    struct kit_wish wish = {.type = IBV_QPT_UC, .bytes = 1 << 20, .depth = 10};
    EXPECT_EQUAL(kit_open(&end, "rdma_en5", &wish), 16);
}

/* Registers memory that straddles a 4 GiB boundary, and receives into the part beyond it. */
static void beyond_a_4_gib_boundary_data_lands_elsewhere(void) {
    struct pair pair;
    uintptr_t boundary = UINT64_C(9) << 32;
    uint8_t *low = mmap((void *) (boundary - 4 * FRAME), 8 * FRAME, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0);
    EXPECT(low != MAP_FAILED);
    pair_open(&pair);
    struct ibv_mr *mr = ibv_reg_mr(pair.right.pd, low, 8 * FRAME, IBV_ACCESS_LOCAL_WRITE);
    EXPECT(mr);
    struct ibv_sge sge = {boundary - FRAME, 2 * FRAME, mr->lkey};
    struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1};
    struct ibv_recv_wr *bad;
    EXPECT_EQUAL(ibv_post_recv(pair.right.qp, &wr, &bad), 0);
    fill(pair.left.memory, 2 * FRAME, 8);
    EXPECT_EQUAL(kit_send(&pair.left, 0, 0, 2 * FRAME), 0);
    await_status(&pair.right, IBV_WC_SUCCESS);
    EXPECT(!memcmp(low + 3 * FRAME, pair.left.memory, FRAME));
    EXPECT(!memcmp(low, pair.left.memory + FRAME, FRAME));
    for (int i = 0; i < FRAME; i++) {
        EXPECT_EQUAL(low[4 * FRAME + i], 0);
    }
    EXPECT_EQUAL(ibv_dereg_mr(mr), 0);
    pair_close(&pair);
}

static void registration_has_rules(void) {
    struct ibv_context *context = kit_open_device("rdma_en5");
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct ibv_device_attr attr;
    uint8_t *memory = mmap(NULL, 1 << 25, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    EXPECT_EQUAL(ibv_query_device(context, &attr), 0);
    EXPECT_EQUAL(attr.max_mr_size, 0xfa0000);
    EXPECT_EQUAL(attr.max_qp, 10);
    EXPECT_EQUAL(attr.max_sge, 1);
    EXPECT(!ibv_reg_mr(pd, memory + 8, FRAME, IBV_ACCESS_LOCAL_WRITE));
    EXPECT(!ibv_reg_mr(pd, memory, 0, IBV_ACCESS_LOCAL_WRITE));
    EXPECT(!ibv_reg_mr(pd, (void *) (uintptr_t) FRAME, FRAME, IBV_ACCESS_LOCAL_WRITE));
    EXPECT_EQUAL(errno, EFAULT);
    EXPECT(!ibv_reg_mr(pd, memory, 13 << 20, IBV_ACCESS_LOCAL_WRITE));
    EXPECT(!ibv_reg_mr(pd, memory, FRAME, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ));
    EXPECT(!ibv_reg_mr_iova2(pd, memory, FRAME, 0, IBV_ACCESS_LOCAL_WRITE));
    struct ibv_mr *mr = ibv_reg_mr(pd, memory, 12 << 20, IBV_ACCESS_LOCAL_WRITE);
    EXPECT(mr);
    ibv_dereg_mr(mr);
    ibv_dealloc_pd(pd);
    ibv_close_device(context);
}

static void a_receive_into_a_region_that_is_gone_fails(void) {
    struct pair pair;
    pair_open(&pair);
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, FRAME), 0);
    EXPECT_EQUAL(ibv_dereg_mr(pair.right.mr), 0);
    pair.right.mr = NULL;
    fill(pair.left.memory, FRAME, 1);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, FRAME), 0);
    await_status(&pair.right, IBV_WC_LOC_PROT_ERR);
    for (int i = 0; i < FRAME; i++) {
        EXPECT_EQUAL(pair.right.memory[i], 0);
    }
    pair_close(&pair);
}

static void a_send_from_unregistered_memory_fails_and_flushes(void) {
    struct pair pair;
    pair_open(&pair);
    uint32_t key = pair.left.mr->lkey;
    pair.left.mr->lkey = key + 1024;
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, FRAME), 0);
    await_status(&pair.left, IBV_WC_LOC_PROT_ERR);
    EXPECT_EQUAL(kit_send(&pair.left, 2, 0, FRAME), 0);
    await_status(&pair.left, IBV_WC_WR_FLUSH_ERR);
    expect_quiet(&pair.right);
    pair_close(&pair);
}

static void the_error_state_flushes_both_queues(void) {
    struct pair pair;
    pair_open(&pair);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
    EXPECT_EQUAL(kit_receive(&pair.left, 1, 0, FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 2, 0, FRAME), 0);
    EXPECT_EQUAL(ibv_modify_qp(pair.left.qp, &attr, IBV_QP_STATE), 0);
    await_status(&pair.left, IBV_WC_WR_FLUSH_ERR);
    await_status(&pair.left, IBV_WC_WR_FLUSH_ERR);
    pair_close(&pair);
}

/* By rules of its own: those of the profile are Apple's, whose device beside it has no RC. */
static void a_card_of_another_provider_reads(void) {
    struct kit_wish wish = {.type = IBV_QPT_RC, .bytes = 1 << 20, .depth = 16};
    struct kit_end left;
    struct kit_end right;
    EXPECT_EQUAL(kit_open(&left, "rdma_en5", &wish), 102);
    EXPECT_EQUAL(kit_open(&left, "rdma_mcrdma0", &wish), 0);
    EXPECT_EQUAL(kit_open(&right, "rdma_mcrdma1", &wish), 0);
    struct ibv_port_attr attributes;
    EXPECT_EQUAL(ibv_query_port(left.context, 1, &attributes), 0);
    EXPECT_EQUAL(attributes.link_layer, IBV_LINK_LAYER_ETHERNET);
    struct kit_address left_address = kit_address(&left);
    struct kit_address right_address = kit_address(&right);
    EXPECT_EQUAL(kit_connect(&left, &right_address), 0);
    EXPECT_EQUAL(kit_connect(&right, &left_address), 0);
    fill(right.memory, 1 << 20, 7);
    EXPECT_EQUAL(kit_read(&left, &right_address, 1, 0, 0, 1 << 20), 0);
    await_status(&left, IBV_WC_SUCCESS);
    expect_filled(left.memory, 1 << 20, 7);
    kit_close(&left);
    kit_close(&right);
}

const struct test limit_tests[] = {
    {"grantedDepthDiffersFromTheRequest", "", granted_depth_differs_from_the_request},
    {"depthCountsFramesAndOverpostingIsRefused", "", depth_counts_frames_and_overposting_is_refused},
    {"overpostingCanBeAcceptedAndThenCorrupts", "option overpost corrupt",
     overposting_can_be_accepted_and_then_corrupts},
    {"aRefusedPostIsNegativeAndNamesNoRequest", "", a_refused_post_is_negative_and_names_no_request},
    {"onLinuxARefusedPostIsPositiveAndNamesTheRequest", "profile linux\noption credits off",
     on_linux_a_refused_post_is_positive_and_names_the_request},
    {"receivesBeforeRtrAreRefused", "os 26", receives_before_rtr_are_refused},
    {"receivesBeforeRtrAreTakenBy27", "os 27", receives_before_rtr_are_taken},
    {"rcAndUdAreRefused", "", rc_and_ud_are_refused},
    {"tenQueuePairsOn26", "os 26", ten_queue_pairs},
    {"threeQueuePairsOn27", "os 27", three_queue_pairs},
    {"regionsDomainsAndQueuesAreFew", "", regions_domains_and_queues_are_few},
    {"aPortWithoutACableIsDown", "", a_port_without_a_cable_is_down},
    {"gidsOf26", "os 26", gids_of_26},
    {"gidsOf26WithIpv4Last", "option gid_layout 26-ipv4-last", gids_of_26_ipv4_last},
    {"gidsOf27", "os 27", gids_of_27},
    {"goingToRtrChecksThePath", "", going_to_rtr_checks_the_path},
    {"aFailedRtrLeaksItsQueuePair", "option leak_failed_rtr on", a_failed_rtr_leaks_its_queue_pair},
    {"beyondA4GibBoundaryDataLandsElsewhere", "", beyond_a_4_gib_boundary_data_lands_elsewhere},
    {"registrationHasRules", "option max_mr_bytes 12582912\noption mr_access 1", registration_has_rules},
    {"aReceiveIntoARegionThatIsGoneFails", "", a_receive_into_a_region_that_is_gone_fails},
    {"aSendFromUnregisteredMemoryFailsAndFlushes", "", a_send_from_unregistered_memory_fails_and_flushes},
    {"theErrorStateFlushesBothQueues", "", the_error_state_flushes_both_queues},
    {"aCardOfAnotherProviderReads", "host a\ncable loop a:en5 a:en6\ncable card a:mcrdma0 a:mcrdma1\n",
     a_card_of_another_provider_reads},
    {NULL, NULL, NULL},
};
