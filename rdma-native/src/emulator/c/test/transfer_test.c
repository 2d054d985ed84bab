/* Layer 8, programs. Messages and reads that arrive, or do not fit. */
#include "harness.h"

#include <stdlib.h>

enum { FRAME = 4096, LONGEST = 4095 * FRAME };

static void every_size_arrives_whole(void) {
    static const uint32_t sizes[] = {1, 8, 4095, 4096, 4097, 8191, 8192, 8193, 65536, (1 << 20) - 1, 1 << 20, LONGEST};
    struct pair pair;
    pair_open(&pair);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t size = sizes[i];
        fill(pair.left.memory, size, i);
        pair.right.memory[size] = 0x5a;
        EXPECT_EQUAL(kit_receive(&pair.right, i, 0, size), 0);
        EXPECT_EQUAL(kit_send(&pair.left, i, 0, size), 0);
        struct ibv_wc received = await(&pair.right);
        EXPECT_EQUAL(received.status, IBV_WC_SUCCESS);
        EXPECT_EQUAL(received.opcode, IBV_WC_RECV);
        EXPECT_EQUAL(received.byte_len, size);
        EXPECT_EQUAL(received.qp_num, pair.right.qp->qp_num);
        EXPECT_EQUAL(await(&pair.left).opcode, IBV_WC_SEND);
        expect_filled(pair.right.memory, size, i);
        EXPECT_EQUAL(pair.right.memory[size], 0x5a);
    }
    pair_close(&pair);
}

static void exchange_round(struct pair *pair, uint64_t round) {
    enum { MESSAGES = 100 };
    uint32_t sizes[MESSAGES];
    size_t offset = 0;
    for (int i = 0; i < MESSAGES; i++) {
        sizes[i] = (uint32_t) (rand_r(&(unsigned) {(unsigned) (round * 1000 + (uint64_t) i)}) % 60000 + 1);
        EXPECT_EQUAL(kit_receive(&pair->left, (uint64_t) i, PAIR_BYTES / 2 + offset, sizes[i]), 0);
        EXPECT_EQUAL(kit_receive(&pair->right, (uint64_t) i, PAIR_BYTES / 2 + offset, sizes[i]), 0);
        offset += sizes[i];
    }
    fill(pair->left.memory, offset, round);
    fill(pair->right.memory, offset, round + 1);
    offset = 0;
    for (int i = 0; i < MESSAGES; i++) {
        EXPECT_EQUAL(kit_send(&pair->left, 1000, offset, sizes[i]), 0);
        EXPECT_EQUAL(kit_send(&pair->right, 1000, offset, sizes[i]), 0);
        offset += sizes[i];
    }
    struct kit_end *ends[] = {&pair->left, &pair->right};
    for (int side = 0; side < 2; side++) {
        uint64_t next = 0;
        for (int i = 0; i < 2 * MESSAGES; i++) {
            struct ibv_wc wc = await(ends[side]);
            EXPECT_EQUAL(wc.status, IBV_WC_SUCCESS);
            if (wc.opcode == IBV_WC_RECV) {
                EXPECT_EQUAL(wc.wr_id, next);
                EXPECT_EQUAL(wc.byte_len, sizes[next++]);
            }
        }
        EXPECT_EQUAL(next, MESSAGES);
    }
    expect_filled(pair->right.memory + PAIR_BYTES / 2, offset, round);
    expect_filled(pair->left.memory + PAIR_BYTES / 2, offset, round + 1);
}

static void both_directions_at_once_arrive_in_order(void) {
    struct pair pair;
    pair_open(&pair);
    for (uint64_t round = 0; round < 5; round++) {
        exchange_round(&pair, round);
    }
    pair_close(&pair);
}

static void a_send_waits_for_a_receive(void) {
    struct pair pair;
    pair_open(&pair);
    fill(pair.left.memory, 5000, 3);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, 5000), 0);
    expect_quiet(&pair.left);
    EXPECT_EQUAL(kit_receive(&pair.right, 2, 0, 5000), 0);
    await_status(&pair.left, IBV_WC_SUCCESS);
    await_status(&pair.right, IBV_WC_SUCCESS);
    expect_filled(pair.right.memory, 5000, 3);
    pair_close(&pair);
}

static void an_empty_send_vanishes(void) {
    struct pair pair;
    pair_open(&pair);
    EXPECT_EQUAL(kit_receive(&pair.right, 7, 0, FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, 0), 0);
    EXPECT_EQUAL(await(&pair.left).wr_id, 1);
    expect_quiet(&pair.right);
    EXPECT_EQUAL(kit_send(&pair.left, 2, 0, FRAME), 0);
    EXPECT_EQUAL(await(&pair.right).wr_id, 7);
    pair_close(&pair);
}

static void send_and_receive_must_span_equal_frames(void) {
    struct pair pair;
    pair_open(&pair);
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, 2 * FRAME), 0);
    EXPECT_EQUAL(kit_receive(&pair.right, 2, 0, FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, FRAME), 0);
    await_status(&pair.left, IBV_WC_SUCCESS);
    struct ibv_wc wc = await(&pair.right);
    EXPECT_EQUAL(wc.status, IBV_WC_LOC_LEN_ERR);
    EXPECT_EQUAL(wc.wr_id, 1);
    wc = await(&pair.right);
    EXPECT_EQUAL(wc.status, IBV_WC_WR_FLUSH_ERR);
    EXPECT_EQUAL(wc.wr_id, 2);
    pair_close(&pair);
}

static void a_receive_of_equal_frames_may_be_longer_but_not_shorter(void) {
    struct pair pair;
    pair_open(&pair);
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, 10), 0);
    EXPECT_EQUAL(await(&pair.right).byte_len, 10);
    EXPECT_EQUAL(kit_receive(&pair.right, 2, 0, 9), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 2, 0, 10), 0);
    await_status(&pair.right, IBV_WC_LOC_LEN_ERR);
    pair_close(&pair);
}

static void without_apples_rules_a_longer_receive_is_enough(void) {
    struct pair pair;
    pair_open(&pair);
    fill(pair.left.memory, 100, 9);
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, 10 * FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, 100), 0);
    struct ibv_wc wc = await(&pair.right);
    EXPECT_EQUAL(wc.status, IBV_WC_SUCCESS);
    EXPECT_EQUAL(wc.byte_len, 100);
    expect_filled(pair.right.memory, 100, 9);
    pair_close(&pair);
}

static int post_with(struct kit_end *end, int opcode, unsigned int flags) {
    struct ibv_sge sge = {(uintptr_t) end->memory, FRAME, end->mr->lkey};
    struct ibv_send_wr wr = {.sg_list = &sge, .num_sge = 1, .opcode = opcode, .send_flags = flags};
    struct ibv_send_wr *bad;
    return ibv_post_send(end->qp, &wr, &bad);
}

static void a_write_lands_in_the_next_receive(void) {
    struct pair pair;
    pair_open(&pair);
    fill(pair.left.memory, FRAME, 4);
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, FRAME), 0);
    EXPECT_EQUAL(post_with(&pair.left, IBV_WR_RDMA_WRITE, IBV_SEND_SIGNALED), 0);
    await_status(&pair.right, IBV_WC_SUCCESS);
    expect_filled(pair.right.memory, FRAME, 4);
    pair_close(&pair);
}

static void an_unsignaled_send_completes_in_silence(void) {
    struct pair pair;
    pair_open(&pair);
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, FRAME), 0);
    EXPECT_EQUAL(post_with(&pair.left, IBV_WR_SEND, 0), 0);
    await_status(&pair.right, IBV_WC_SUCCESS);
    expect_quiet(&pair.left);
    pair_close(&pair);
}

static void a_read_brings_remote_bytes(void) {
    struct pair pair;
    pair_open_type(&pair, IBV_QPT_RC);
    fill(pair.right.memory, LONGEST, 5);
    static const uint32_t sizes[] = {1, 4096, 4097, 1 << 20, LONGEST};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        EXPECT_EQUAL(kit_read(&pair.left, &pair.right_address, i, 0, 17 << 20, sizes[i]), 0);
        struct ibv_wc wc = await(&pair.left);
        EXPECT_EQUAL(wc.status, IBV_WC_SUCCESS);
        EXPECT_EQUAL(wc.opcode, IBV_WC_RDMA_READ);
        expect_filled(pair.left.memory + (17 << 20), sizes[i], 5);
    }
    pair_close(&pair);
}

static void a_read_with_a_wrong_key_or_range_fails(void) {
    for (int wrong = 0; wrong < 2; wrong++) {
        struct pair pair;
        pair_open_type(&pair, IBV_QPT_RC);
        pair.right_address.rkey += wrong == 0 ? 1024 : 0;
        pair.right_address.memory += wrong == 1 ? PAIR_BYTES - 100 : 0;
        EXPECT_EQUAL(kit_read(&pair.left, &pair.right_address, 1, 0, 0, FRAME), 0);
        EXPECT_EQUAL(kit_read(&pair.left, &pair.right_address, 2, 0, 0, FRAME), 0);
        await_status(&pair.left, IBV_WC_REM_ACCESS_ERR);
        await_status(&pair.left, IBV_WC_WR_FLUSH_ERR);
        pair_close(&pair);
    }
}

/* The key of a region opens that region, for as long as it is there, and for what it allows. */
static void a_key_opens_its_region_while_it_is_there(void) {
    for (int wrong = 0; wrong < 3; wrong++) {
        struct pair pair;
        pair_open_type(&pair, IBV_QPT_RC);
        uint8_t *part = pair.right.memory + 4 * FRAME;
        int access = wrong == 0 ? IBV_ACCESS_LOCAL_WRITE : IBV_ACCESS_REMOTE_READ;
        struct ibv_mr *region = ibv_reg_mr(pair.right.pd, part, 2 * FRAME, access);
        EXPECT(region);
        struct kit_address peer = pair.right_address;
        peer.memory = (uintptr_t) part;
        peer.rkey = region->rkey;
        fill(part, 2 * FRAME, 7);
        if (wrong > 0) {
            EXPECT_EQUAL(kit_read(&pair.left, &peer, 1, 0, 0, 2 * FRAME), 0);
            await_status(&pair.left, IBV_WC_SUCCESS);
            expect_filled(pair.left.memory, 2 * FRAME, 7);
        }
        if (wrong == 2) {
            EXPECT_EQUAL(ibv_dereg_mr(region), 0);
        }
        /* Registered with the same domain, but not under this key. */
        peer.memory -= wrong == 1 ? 1 : 0;
        EXPECT_EQUAL(kit_read(&pair.left, &peer, 2, 0, 0, FRAME), 0);
        await_status(&pair.left, IBV_WC_REM_ACCESS_ERR);
        if (wrong != 2) {
            EXPECT_EQUAL(ibv_dereg_mr(region), 0);
        }
        pair_close(&pair);
    }
}

static void rc_sends_arrive_and_a_short_receive_fails_both_ends(void) {
    struct pair pair;
    pair_open_type(&pair, IBV_QPT_RC);
    fill(pair.left.memory, 100000, 6);
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, 200000), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, 100000), 0);
    await_status(&pair.left, IBV_WC_SUCCESS);
    EXPECT_EQUAL(await(&pair.right).byte_len, 100000);
    expect_filled(pair.right.memory, 100000, 6);
    EXPECT_EQUAL(kit_receive(&pair.right, 2, 0, 10), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 2, 0, 11), 0);
    await_status(&pair.left, IBV_WC_REM_INV_REQ_ERR);
    await_status(&pair.right, IBV_WC_LOC_LEN_ERR);
    pair_close(&pair);
}

const struct test transfer_tests[] = {
    {"everySizeArrivesWhole", "", every_size_arrives_whole},
    {"everySizeArrivesWholeByBounce", "option copy bounce", every_size_arrives_whole},
    {"bothDirectionsAtOnceArriveInOrder", "", both_directions_at_once_arrive_in_order},
    {"bothDirectionsAtOnceArriveInOrderByBounce", "option copy bounce", both_directions_at_once_arrive_in_order},
    {"bothDirectionsAtOnceArriveInOrderOnLinux", "profile linux", both_directions_at_once_arrive_in_order},
    {"aSendWaitsForAReceive", "", a_send_waits_for_a_receive},
    {"anEmptySendVanishes", "", an_empty_send_vanishes},
    {"sendAndReceiveMustSpanEqualFrames", "", send_and_receive_must_span_equal_frames},
    {"aReceiveOfEqualFramesMayBeLongerButNotShorter", "", a_receive_of_equal_frames_may_be_longer_but_not_shorter},
    {"withoutApplesRulesALongerReceiveIsEnough", "profile linux", without_apples_rules_a_longer_receive_is_enough},
    {"aWriteLandsInTheNextReceive", "", a_write_lands_in_the_next_receive},
    {"anUnsignaledSendCompletesInSilence", "", an_unsignaled_send_completes_in_silence},
    {"aReadBringsRemoteBytes", "mode rc", a_read_brings_remote_bytes},
    {"aReadBringsRemoteBytesByBounce", "mode rc\noption copy bounce", a_read_brings_remote_bytes},
    {"aReadWithAWrongKeyOrRangeFails", "mode rc", a_read_with_a_wrong_key_or_range_fails},
    {"aKeyOpensItsRegionWhileItIsThere", "mode rc", a_key_opens_its_region_while_it_is_there},
    {"rcSendsArriveAndAShortReceiveFailsBothEnds", "profile linux",
     rc_sends_arrive_and_a_short_receive_fails_both_ends},
    {NULL, NULL, NULL},
};
