/* Layer 8, programs. Cables that are held to a rate, and one that is not. */
#include "harness.h"

#include "../futex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEGABYTE = 1 << 20, WINDOW = 12 * MEGABYTE, MOST_ATTEMPTS = 8 };

/* A second for 16 MB. The window lasts for most of it: a process that does not get to run costs the wire nothing. */
#define HELD "host a\ncable loop a:en5 a:en6 bytes_per_second 16777216\n"

/* Bytes on their way in one direction: by SEND, or by reads of their receiver's. */
struct flow {
    struct kit_end *from;
    struct kit_end *to;
    const struct kit_address *read_at; /* NULL: by SEND */
    uint32_t message;
    uint64_t messages;
    uint64_t posted;
    uint64_t arrived;
};

static uint64_t window(const struct flow *flow) {
    return WINDOW / flow->message;
}

static void post_next(struct flow *flow) {
    size_t place = flow->posted++ % window(flow) * flow->message;
    if (flow->read_at) {
        EXPECT_EQUAL(kit_read(flow->to, flow->read_at, 0, place, PAIR_BYTES / 2 + place, flow->message), 0);
        return;
    }
    EXPECT_EQUAL(kit_receive(flow->to, 0, PAIR_BYTES / 2 + place, flow->message), 0);
    EXPECT_EQUAL(kit_send(flow->from, 0, place, flow->message), 0);
}

static void post_all(struct flow *flow) {
    while (flow->posted < flow->messages && flow->posted - flow->arrived < window(flow)) {
        post_next(flow);
    }
}

/* Takes all that has come to an end. */
static bool take(const struct kit_end *end, struct flow flows[2]) {
    struct ibv_wc wc;
    bool any = false;
    for (; ibv_poll_cq(end->cq, 1, &wc) == 1; any = true) {
        EXPECT_EQUAL(wc.status, IBV_WC_SUCCESS);
        for (int i = 0; i < 2; i++) {
            int arrival = flows[i].read_at ? IBV_WC_RDMA_READ : IBV_WC_RECV;
            flows[i].arrived += flows[i].to == end && wc.opcode == arrival;
        }
    }
    return any;
}

static bool done(const struct flow *flow) {
    return flow->arrived == flow->messages;
}

/* Milliseconds until all of both flows has arrived. */
static uint64_t run_flows(struct pair *pair, struct flow one, struct flow other) {
    struct flow flows[2] = {one, other};
    uint64_t start = vtb_now();
    while (!done(&flows[0]) || !done(&flows[1])) {
        post_all(&flows[0]);
        post_all(&flows[1]);
        bool any = take(&pair->left, flows);
        any |= take(&pair->right, flows);
        if (!any) {
            vtb_pause_nanos(200000);
        }
    }
    return (vtb_now() - start) / 1000000;
}

static struct flow sends(struct kit_end *from, struct kit_end *to, uint32_t message, uint64_t messages) {
    return (struct flow){.from = from, .to = to, .message = message, .messages = messages};
}

static struct flow nothing(void) {
    return (struct flow){.messages = 0};
}

static bool too_long(uint64_t millis, uint64_t wanted) {
    return millis * 100 > wanted * 105;
}

static void expect_not_sooner(uint64_t millis, uint64_t wanted) {
    if (millis * 100 < wanted * 95) {
        fail_at(__FILE__, __LINE__, "not faster than the rate", (long long) millis);
    }
}

/* Within 5 %. Never faster; other programs that have the processors can make it slower, so a slow one tries again. */
static void expect_millis(struct pair *pair, struct flow one, struct flow other, uint64_t wanted) {
    uint64_t millis = 0;
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        millis = run_flows(pair, one, other);
        expect_not_sooner(millis, wanted);
        if (!too_long(millis, wanted)) {
            return;
        }
    }
    fail_at(__FILE__, __LINE__, "not slower than the rate", (long long) millis);
}

static void a_held_cable_carries_its_rate(void) {
    struct pair pair;
    pair_open(&pair);
    expect_millis(&pair, sends(&pair.left, &pair.right, MEGABYTE, 16), nothing(), 1000);
    expect_millis(&pair, sends(&pair.left, &pair.right, 64 << 10, 128), nothing(), 500);
    pair_close(&pair);
}

static void each_direction_of_a_held_cable_has_the_rate(void) {
    struct pair pair;
    pair_open(&pair);
    struct flow to_right = sends(&pair.left, &pair.right, MEGABYTE, 16);
    expect_millis(&pair, to_right, sends(&pair.right, &pair.left, MEGABYTE, 16), 1000);
    expect_millis(&pair, to_right, sends(&pair.right, &pair.left, MEGABYTE, 2), 1000);
    pair_close(&pair);
}

/* What the left end reads comes from the right one: it shares the wire with sends to the left, and with no others. */
static void reads_are_held_in_the_direction_of_their_bytes(void) {
    struct pair pair;
    pair_open_type(&pair, IBV_QPT_RC);
    struct flow reads = sends(&pair.right, &pair.left, MEGABYTE, 8);
    reads.read_at = &pair.right_address;
    expect_millis(&pair, reads, nothing(), 500);
    struct flow back = sends(&pair.left, &pair.right, MEGABYTE, 8);
    back.read_at = &pair.left_address;
    expect_millis(&pair, reads, back, 500);
    expect_millis(&pair, reads, sends(&pair.right, &pair.left, MEGABYTE, 8), 1000);
    pair_close(&pair);
}

/* Neither end learns of a message before its last byte is due, and the bytes are all there then. */
static void a_message_completes_when_its_last_byte_is_due(void) {
    struct pair pair;
    pair_open(&pair);
    fill(pair.left.memory, 4 * MEGABYTE, 1);
    uint64_t start = vtb_now();
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, 4 * MEGABYTE), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, 4 * MEGABYTE), 0);
    expect_quiet(&pair.left);
    expect_quiet(&pair.right);
    await_status(&pair.right, IBV_WC_SUCCESS);
    expect_not_sooner((vtb_now() - start) / 1000000, 250);
    await_status(&pair.left, IBV_WC_SUCCESS);
    expect_filled(pair.right.memory, 4 * MEGABYTE, 1);
    pair_close(&pair);
}

/* Frames that get lost have been on the wire. */
static void lost_messages_take_their_time(void) {
    struct pair pair;
    pair_open(&pair);
    control("cable loop mute on");
    uint64_t start = vtb_now();
    EXPECT_EQUAL(kit_receive(&pair.right, 1, 0, 2 * MEGABYTE), 0);
    EXPECT_EQUAL(kit_send(&pair.left, 1, 0, 2 * MEGABYTE), 0);
    await_status(&pair.left, IBV_WC_SUCCESS);
    expect_not_sooner((vtb_now() - start) / 1000000, 125);
    pair_close(&pair);
}

static void a_fault_gives_a_held_cable_another_rate(void) {
    struct pair pair;
    pair_open(&pair);
    control("cable loop gbps 0.256");
    expect_millis(&pair, sends(&pair.left, &pair.right, MEGABYTE, 16), nothing(), 16 * MEGABYTE / 32000);
    pair_close(&pair);
}

static double engine_seconds(void) {
    double seconds = 0;
    const char *at = stats();
    while ((at = strstr(at, "\"engineCpuSeconds\":"))) {
        at += strlen("\"engineCpuSeconds\":");
        seconds += strtod(at, NULL);
    }
    return seconds;
}

/* What the copies themselves cost is less than a tenth of the time that the wire takes. */
static void engines_sleep_while_a_held_wire_is_busy(void) {
    struct pair pair;
    pair_open(&pair);
    run_flows(&pair, sends(&pair.left, &pair.right, MEGABYTE, 8), sends(&pair.right, &pair.left, MEGABYTE, 8));
    double seconds = engine_seconds();
    if (seconds > 0.1) {
        fail_at(__FILE__, __LINE__, "engines sleep", (long long) (seconds * 1000));
    }
    pair_close(&pair);
}

/* What takes two seconds at the rate of the others. */
static void a_cable_without_a_rate_shows_completions_at_once(void) {
    struct pair pair;
    pair_open(&pair);
    uint64_t millis = run_flows(&pair, sends(&pair.left, &pair.right, MEGABYTE, 128), nothing());
    if (millis > 1000) {
        fail_at(__FILE__, __LINE__, "not held", (long long) millis);
    }
    pair_close(&pair);
}

const struct test pace_tests[] = {
    {"aHeldCableCarriesItsRate", HELD, a_held_cable_carries_its_rate},
    {"aHeldCableCarriesItsRateByBounce", "option copy bounce\n" HELD, a_held_cable_carries_its_rate},
    {"eachDirectionOfAHeldCableHasTheRate", HELD, each_direction_of_a_held_cable_has_the_rate},
    {"readsAreHeldInTheDirectionOfTheirBytes", "mode rc\n" HELD, reads_are_held_in_the_direction_of_their_bytes},
    {"aMessageCompletesWhenItsLastByteIsDue", HELD, a_message_completes_when_its_last_byte_is_due},
    {"lostMessagesTakeTheirTime", HELD, lost_messages_take_their_time},
    {"aFaultGivesAHeldCableAnotherRate", HELD, a_fault_gives_a_held_cable_another_rate},
    {"enginesSleepWhileAHeldWireIsBusy", HELD, engines_sleep_while_a_held_wire_is_busy},
    {"aCableWithoutARateShowsCompletionsAtOnce", "", a_cable_without_a_rate_shows_completions_at_once},
    {NULL, NULL, NULL},
};
