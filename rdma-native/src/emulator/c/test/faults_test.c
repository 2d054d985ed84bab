/* Layer 8, programs. What each fault does to programs. */
#include "harness.h"

#include "../futex.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FRAME = 4096 };

static uint64_t counter(const char *from, const char *name) {
    char key[64];
    snprintf(key, sizeof key, "\"from\":\"%s\"", from);
    const char *place = strstr(stats(), key);
    EXPECT(place);
    snprintf(key, sizeof key, "\"%s\":", name);
    place = strstr(place, key);
    EXPECT(place);
    unsigned long long value;
    EXPECT_EQUAL(sscanf(place + strlen(key), "%llu", &value), 1);
    return value;
}

static void pass_one(struct pair *pair, uint64_t seed, uint32_t bytes) {
    fill(pair->left.memory, bytes, seed);
    EXPECT_EQUAL(kit_receive(&pair->right, seed, 0, bytes), 0);
    EXPECT_EQUAL(kit_send(&pair->left, seed, 0, bytes), 0);
    await_status(&pair->left, IBV_WC_SUCCESS);
    await_status(&pair->right, IBV_WC_SUCCESS);
    expect_filled(pair->right.memory, bytes, seed);
}

static void a_silently_pulled_cable_moves_nothing(void) {
    struct pair pair;
    struct ibv_port_attr attr;
    pair_open(&pair);
    pass_one(&pair, 1, FRAME);
    control("cable loop pull");
    EXPECT_EQUAL(kit_receive(&pair.right, 2, 0, FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 2, 0, FRAME), 0);
    EXPECT_EQUAL(ibv_query_port(pair.left.context, 1, &attr), 0);
    EXPECT_EQUAL(attr.state, IBV_PORT_DOWN);
    EXPECT(!ibv_alloc_pd(pair.left.context));
    expect_quiet(&pair.left);
    control("cable loop plug");
    expect_quiet(&pair.right); /* what was open before stays dead */
    pair_close(&pair);
    pair_open(&pair);
    pass_one(&pair, 3, FRAME);
    pair_close(&pair);
}

static void a_pulled_cable_can_look_active(void) {
    struct pair pair;
    struct ibv_port_attr attr;
    pair_open(&pair);
    control("cable loop pull silent active");
    EXPECT_EQUAL(ibv_query_port(pair.left.context, 1, &attr), 0);
    EXPECT_EQUAL(attr.state, IBV_PORT_ACTIVE);
    pair_close(&pair);
}

static void a_replugged_cable_can_bring_other_names(void) {
    struct ibv_context *context = kit_open_device("rdma_en5");
    EXPECT(context);
    ibv_close_device(context);
    control("cable loop pull");
    control("cable loop plug renamed");
    EXPECT(!kit_open_device("rdma_en5"));
    context = kit_open_device("rdma_en15");
    EXPECT(context);
    ibv_close_device(context);
}

static void a_held_cable_loses_nothing(void) {
    struct pair pair;
    pair_open(&pair);
    control("cable loop hold on");
    fill(pair.left.memory, FRAME, 4);
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, FRAME), 0);
    expect_quiet(&pair.right);
    control("cable loop hold off");
    await_status(&pair.right, IBV_WC_SUCCESS);
    expect_filled(pair.right.memory, FRAME, 4);
    pair_close(&pair);
}

/* Two messages pass, the third finds the cable held, or pulled. */
static void expect_two_of_three(struct pair *pair) {
    for (uint64_t message = 0; message < 3; message++) {
        fill(pair->left.memory + message * FRAME, FRAME, message);
        EXPECT_EQUAL(kit_receive(&pair->right, message, message * FRAME, FRAME), 0);
    }
    for (uint64_t message = 0; message < 2; message++) {
        EXPECT_EQUAL(kit_send(&pair->left, message, message * FRAME, FRAME), 0);
        await_status(&pair->right, IBV_WC_SUCCESS);
    }
    EXPECT_EQUAL(kit_send(&pair->left, 2, 2 * FRAME, FRAME), 0);
    expect_quiet(&pair->right);
}

static void a_cable_can_be_held_in_the_middle(void) {
    struct pair pair;
    pair_open(&pair);
    pass_one(&pair, 1, FRAME);
    control("cable loop hold on after 2");
    expect_two_of_three(&pair);
    control("cable loop hold off");
    await_status(&pair.right, IBV_WC_SUCCESS);
    expect_filled(pair.right.memory + 2 * FRAME, FRAME, 2);
    pair_close(&pair);
}

/* Each command of the second column takes the place of what the first one armed: three messages pass. */
static void a_later_command_disarms(void) {
    static const char *const commands[][2] = {
        {"hold on after 2", "hold off"}, {"hold on after 2", "plug"},  {"pull silent after 2", "hold off"},
        {"pull silent after 2", "plug"}, {"hold on after 2", "clear"}, {"pull silent after 2", "clear"},
        {"pull silent after 2", "hold on after 1000"},
    };
    struct pair pair;
    pair_open(&pair);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        control("cable loop %s", commands[i][0]);
        control("cable loop %s", commands[i][1]);
        for (int message = 0; message < 3; message++) {
            pass_one(&pair, i * 3 + message, FRAME);
        }
    }
    pair_close(&pair);
}

static void a_cable_can_be_pulled_in_the_middle(void) {
    struct pair pair;
    pair_open(&pair);
    pass_one(&pair, 1, FRAME);
    control("cable loop pull silent after 2");
    expect_two_of_three(&pair);
    control("cable loop plug");
    expect_quiet(&pair.right);
    pair_close(&pair);
}

/* Sends complete for as long as there are receives, none of which ever completes; the other direction works. */
static void a_mute_direction_is_a_one_way_death(void) {
    struct pair pair;
    pair_open(&pair);
    control("cable loop from a:en5 mute on");
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 2, 0, FRAME), 0);
    await_status(&pair.left, IBV_WC_SUCCESS);
    expect_quiet(&pair.left);
    expect_quiet(&pair.right);
    EXPECT_EQUAL(kit_receive(&pair.left, 3, 0, FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.right, 3, 0, FRAME), 0);
    await_status(&pair.right, IBV_WC_SUCCESS);
    EXPECT_EQUAL(await(&pair.left).wr_id, 3);
    EXPECT_EQUAL(counter("a:en5", "dropped"), 1);
    pair_close(&pair);
}

/* Three messages of three frames; the second frame of the first is lost: all that follows is one frame off. */
static void one_lost_frame_shifts_every_later_boundary(void) {
    struct pair pair;
    pair_open(&pair);
    control("cable loop from a:en5 lose next 1 after 1");
    fill(pair.left.memory, 9 * FRAME, 5);
    for (size_t i = 0; i < 3; i++) {
        EXPECT_EQUAL(kit_receive(&pair.right, i, i * 3 * FRAME, 3 * FRAME), 0);
        EXPECT_EQUAL(kit_send(&pair.left, i, i * 3 * FRAME, 3 * FRAME), 0);
        await_status(&pair.left, IBV_WC_SUCCESS);
    }
    await_status(&pair.right, IBV_WC_SUCCESS);
    await_status(&pair.right, IBV_WC_SUCCESS);
    expect_quiet(&pair.right);
    EXPECT(!memcmp(pair.right.memory, pair.left.memory, FRAME));
    EXPECT(!memcmp(pair.right.memory + FRAME, pair.left.memory + 2 * FRAME, 7 * FRAME));
    pair_close(&pair);
}

static void a_marked_loss_fails_the_receive(void) {
    struct pair pair;
    pair_open(&pair);
    control("cable loop lose marked on");
    control("cable loop from a:en5 lose next 1 after 1");
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, 3 * FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, 3 * FRAME), 0);
    await_status(&pair.right, IBV_WC_LOC_LEN_ERR);
    pair_close(&pair);
}

static size_t differing_bits(const uint8_t *a, const uint8_t *b, size_t bytes) {
    size_t bits = 0;
    for (size_t i = 0; i < bytes; i++) {
        bits += (size_t) __builtin_popcount(a[i] ^ b[i]);
    }
    return bits;
}

static void a_corrupted_frame_differs_in_one_bit(void) {
    struct pair pair;
    pair_open(&pair);
    control("cable loop from a:en5 corrupt next 1 after 5");
    fill(pair.left.memory, 16 * FRAME, 6);
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, 16 * FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, 16 * FRAME), 0);
    await_status(&pair.right, IBV_WC_SUCCESS);
    EXPECT_EQUAL(differing_bits(pair.left.memory, pair.right.memory, 5 * FRAME), 0);
    EXPECT_EQUAL(differing_bits(pair.left.memory + 5 * FRAME, pair.right.memory + 5 * FRAME, FRAME), 1);
    EXPECT_EQUAL(differing_bits(pair.left.memory + 6 * FRAME, pair.right.memory + 6 * FRAME, 10 * FRAME), 0);
    EXPECT_EQUAL(counter("a:en5", "corrupted"), 1);
    pair_close(&pair);
}

static size_t damage_by_seed(int seed) {
    enum { FRAMES = 1000 };
    struct pair pair;
    pair_open(&pair);
    control("cable loop from a:en5 corrupt rate 0.05 seed %d", seed);
    fill(pair.left.memory, FRAMES * FRAME, 7);
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, FRAMES * FRAME), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, FRAMES * FRAME), 0);
    await_status(&pair.right, IBV_WC_SUCCESS);
    size_t bits = differing_bits(pair.left.memory, pair.right.memory, FRAMES * FRAME);
    control("cable loop clear");
    pair_close(&pair);
    return bits;
}

static void corruption_follows_its_rate(void) {
    size_t bits = damage_by_seed(11);
    EXPECT(bits > 20 && bits < 100);
    EXPECT_EQUAL(counter("a:en5", "corrupted"), (long long) bits);
}

static void a_read_can_be_corrupted(void) {
    struct pair pair;
    pair_open_type(&pair, IBV_QPT_RC);
    control("cable loop from a:en6 corrupt next 1 after 1");
    fill(pair.right.memory, 3 * FRAME, 8);
    EXPECT_EQUAL(kit_read(&pair.left, &pair.right_address, 1, 0, 0, 3 * FRAME), 0);
    await_status(&pair.left, IBV_WC_SUCCESS);
    EXPECT_EQUAL(differing_bits(pair.left.memory, pair.right.memory, 3 * FRAME), 1);
    EXPECT_EQUAL(counter("a:en6", "corrupted"), 1);
    pair_close(&pair);
}

static void late_completions_are_late(void) {
    struct pair pair;
    pair_open(&pair);
    control("cable loop from a:en5 late 200000");
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, FRAME), 0);
    uint64_t start = vtb_now();
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, FRAME), 0);
    await_status(&pair.right, IBV_WC_SUCCESS);
    EXPECT(vtb_now() - start >= 200000000);
    await_status(&pair.left, IBV_WC_SUCCESS);
    pair_close(&pair);
}

static void a_completion_can_carry_an_error(void) {
    for (int at_receiver = 0; at_receiver < 2; at_receiver++) {
        struct pair pair;
        pair_open(&pair);
        control("cable loop from a:en5 error 21 %s next 1", at_receiver ? "receive" : "send");
        EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, FRAME), 0);
        EXPECT_EQUAL(kit_send(&pair.left, 1, 0, FRAME), 0);
        await_status(at_receiver ? &pair.right : &pair.left, IBV_WC_GENERAL_ERR);
        pair_close(&pair);
    }
}

static void a_slow_link_keeps_its_speed(void) {
    struct pair pair;
    pair_open(&pair);
    control("cable loop from a:en5 gbps 0.8"); /* 100 MB/s */
    uint64_t start = vtb_now();
    for (int i = 0; i < 20; i++) {
        EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, 1 << 20), 0);
        EXPECT_EQUAL(kit_send(&pair.left, 1, 0, 1 << 20), 0);
        await_status(&pair.right, IBV_WC_SUCCESS);
        await_status(&pair.left, IBV_WC_SUCCESS);
    }
    uint64_t took = vtb_now() - start;
    EXPECT(took > 180000000); /* 20 MiB take 210 ms; the last message's time is not waited for */
    pair_close(&pair);
}

static void create_qp_once(int socket) {
    struct kit_end end;
    struct kit_wish wish = {.type = IBV_QPT_UC, .bytes = 1 << 20, .depth = 8};
    put(socket, "s", 1);
    EXPECT_EQUAL(kit_open(&end, "rdma_en5", &wish), 0);
    put(socket, "d", 1);
    kit_close(&end);
}

static void a_stuck_call_returns_when_released(void) {
    int socket;
    char word;
    control("port a:en5 stuck create_qp on");
    pid_t child = spawn("a", create_qp_once, &socket);
    get(socket, &word, 1);
    expect_silent(socket);
    control("port a:en5 stuck create_qp off");
    get(socket, &word, 1);
    EXPECT_EQUAL(word, 'd');
    expect_exit(child);
}

static void the_queue_pair_budget_can_be_taken_away(void) {
    struct kit_end end;
    struct kit_wish wish = {.type = IBV_QPT_UC, .bytes = 1 << 20, .depth = 8};
    control("port a:en5 queue_pairs 0");
    EXPECT_EQUAL(kit_open(&end, "rdma_en5", &wish), 16);
    control("port a:en5 queue_pairs off");
    EXPECT_EQUAL(kit_open(&end, "rdma_en5", &wish), 0);
    kit_close(&end);
}

static void going_to_rtr_fails_as_told(void) {
    static const int errors[] = {16, 22, 60, 96};
    struct pair pair;
    pair_open(&pair);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct kit_end end;
        struct kit_wish wish = {.type = IBV_QPT_UC, .bytes = 1 << 20, .depth = 8};
        control("port a:en5 rtr %d next 1", errors[i]);
        EXPECT_EQUAL(kit_open(&end, "rdma_en5", &wish), 0);
        EXPECT_EQUAL(kit_ready_to_receive(&end, &pair.right_address), errors[i]);
        EXPECT_EQUAL(kit_ready_to_receive(&end, &pair.right_address), 0);
        kit_close(&end);
    }
    pair_close(&pair);
}

const struct test fault_tests[] = {
    {"aSilentlyPulledCableMovesNothing", "", a_silently_pulled_cable_moves_nothing},
    {"aPulledCableCanLookActive", "", a_pulled_cable_can_look_active},
    {"aRepluggedCableCanBringOtherNames", "", a_replugged_cable_can_bring_other_names},
    {"aCableCanBeHeldInTheMiddle", "", a_cable_can_be_held_in_the_middle},
    {"aCableCanBePulledInTheMiddle", "", a_cable_can_be_pulled_in_the_middle},
    {"aLaterCommandDisarms", "", a_later_command_disarms},
    {"aHeldCableLosesNothing", "", a_held_cable_loses_nothing},
    {"aMuteDirectionIsAOneWayDeath", "", a_mute_direction_is_a_one_way_death},
    {"oneLostFrameShiftsEveryLaterBoundary", "", one_lost_frame_shifts_every_later_boundary},
    {"aMarkedLossFailsTheReceive", "", a_marked_loss_fails_the_receive},
    {"aCorruptedFrameDiffersInOneBit", "", a_corrupted_frame_differs_in_one_bit},
    {"aCorruptedFrameDiffersInOneBitByBounce", "option copy bounce", a_corrupted_frame_differs_in_one_bit},
    {"corruptionFollowsItsRate", "", corruption_follows_its_rate},
    {"aReadCanBeCorrupted", "mode rc", a_read_can_be_corrupted},
    {"lateCompletionsAreLate", "", late_completions_are_late},
    {"aCompletionCanCarryAnError", "", a_completion_can_carry_an_error},
    {"aSlowLinkKeepsItsSpeed", "", a_slow_link_keeps_its_speed},
    {"aStuckCallReturnsWhenReleased", "", a_stuck_call_returns_when_released},
    {"theQueuePairBudgetCanBeTakenAway", "", the_queue_pair_budget_can_be_taken_away},
    {"goingToRtrFailsAsTold", "", going_to_rtr_fails_as_told},
    {NULL, NULL, NULL},
};
