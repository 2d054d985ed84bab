/* Layer 8, programs. Several processes: budgets, deaths, stops. */
#include "harness.h"

#include "../futex.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FRAME = 4096, MESSAGE = 64 * FRAME, WINDOW = 8 };

static struct kit_end end;
static struct kit_address peer;

/* Opens an end on cable c and connects it to whatever the other child sends through the parent. */
static void connect_over(int socket, int type) {
    struct kit_wish wish = {.type = type, .bytes = MESSAGE * WINDOW, .depth = 4095};
    EXPECT_EQUAL(kit_open(&end, "rdma_en2", &wish), 0);
    struct kit_address mine = kit_address(&end);
    put(socket, &mine, sizeof mine);
    get(socket, &peer, sizeof peer);
    EXPECT_EQUAL(kit_connect(&end, &peer), 0);
    put(socket, "c", 1);
}

static void cross(int left, int right) {
    struct kit_address left_address;
    struct kit_address right_address;
    char word;
    get(left, &left_address, sizeof left_address);
    get(right, &right_address, sizeof right_address);
    put(left, &right_address, sizeof right_address);
    put(right, &left_address, sizeof left_address);
    get(left, &word, 1);
    get(right, &word, 1);
}

/* Sends for ever; tells its parent about the first and stays silent when nothing completes. */
static void send_for_ever(int socket) {
    connect_over(socket, IBV_QPT_UC);
    for (uint64_t i = 0;; i++) {
        EXPECT_EQUAL(kit_send(&end, i, i % WINDOW * MESSAGE, MESSAGE), 0);
        struct ibv_wc wc;
        while (ibv_poll_cq(end.cq, 1, &wc) == 0) {
            vtb_pause_nanos(10000);
        }
        EXPECT_EQUAL(wc.status, IBV_WC_SUCCESS);
        if (i < 3) {
            put(socket, "s", 1);
        }
    }
}

static void receive_for_ever(int socket) {
    connect_over(socket, IBV_QPT_UC);
    for (uint64_t i = 0; i < WINDOW; i++) {
        EXPECT_EQUAL(kit_receive(&end, i, i * MESSAGE, MESSAGE), 0);
    }
    for (uint64_t i = 0;; i++) {
        struct ibv_wc wc;
        while (ibv_poll_cq(end.cq, 1, &wc) == 0) {
            vtb_pause_nanos(10000);
        }
        EXPECT_EQUAL(wc.status, IBV_WC_SUCCESS);
        EXPECT_EQUAL(kit_receive(&end, i, wc.wr_id % WINDOW * MESSAGE, MESSAGE), 0);
        if (i < 3) {
            put(socket, "r", 1);
        }
    }
}

static void await_traffic(int socket) {
    char word[3];
    get(socket, word, sizeof word);
}

static void post_when_told(int socket) {
    char word;
    connect_over(socket, IBV_QPT_UC);
    get(socket, &word, 1);
    if (word == 's') {
        kit_send(&end, 0, 0, FRAME);
    } else {
        kit_receive(&end, 0, 0, FRAME);
    }
}

static void a_pulled_cable_is_a_segv_in_post_at_both_ends(void) {
    int left;
    int right;
    pid_t sender = spawn("a", post_when_told, &left);
    pid_t receiver = spawn("b", post_when_told, &right);
    cross(left, right);
    control("cable c pull segv");
    put(left, "s", 1);
    put(right, "r", 1);
    expect_signal(sender, SIGSEGV);
    expect_signal(receiver, SIGSEGV);
}

static void wait_for_a_silent_peer(int socket) {
    connect_over(socket, IBV_QPT_UC);
    char word;
    get(socket, &word, 1);
    EXPECT_EQUAL(kit_send(&end, 1, 0, FRAME), 0);
    EXPECT_EQUAL(kit_receive(&end, 2, FRAME, FRAME), 0);
    expect_quiet(&end);
    kit_close(&end);
}

static void a_dead_peer_is_silent(void) {
    int left;
    int right;
    pid_t survivor = spawn("a", wait_for_a_silent_peer, &left);
    pid_t victim = spawn("b", receive_for_ever, &right);
    cross(left, right);
    kill(victim, SIGKILL);
    expect_signal(victim, SIGKILL);
    put(left, "g", 1);
    expect_exit(survivor);
}

static void expect_retry_error(int socket) {
    char word;
    connect_over(socket, IBV_QPT_RC);
    get(socket, &word, 1);
    EXPECT_EQUAL(kit_read(&end, &peer, 1, 0, 0, FRAME), 0);
    await_status(&end, IBV_WC_RETRY_EXC_ERR);
    kit_close(&end);
}

static void serve_reads(int socket) {
    char word;
    connect_over(socket, IBV_QPT_RC);
    get(socket, &word, 1);
}

static void a_read_from_a_dead_peer_gives_up(void) {
    int left;
    int right;
    pid_t reader = spawn("a", expect_retry_error, &left);
    pid_t server = spawn("b", serve_reads, &right);
    cross(left, right);
    kill(server, SIGKILL);
    expect_signal(server, SIGKILL);
    put(left, "g", 1);
    expect_exit(reader);
}

static void a_read_over_a_pulled_cable_gives_up(void) {
    int left;
    int right;
    pid_t reader = spawn("a", expect_retry_error, &left);
    pid_t server = spawn("b", serve_reads, &right);
    cross(left, right);
    control("cable c pull");
    put(left, "g", 1);
    put(right, "g", 1);
    expect_exit(reader);
    expect_exit(server);
}

static void receive_three_and_tell(int socket) {
    connect_over(socket, IBV_QPT_UC);
    for (uint64_t i = 0; i < 3; i++) {
        EXPECT_EQUAL(kit_receive(&end, i, i * MESSAGE, MESSAGE), 0);
    }
    put(socket, "p", 1);
    for (int i = 0; i < 3; i++) {
        await_status(&end, IBV_WC_SUCCESS);
    }
    kit_close(&end);
}

/* What is stopped has no threads that run, and its memory is written all the same. */
static void a_stopped_process_still_receives(void) {
    int left;
    int right;
    char word;
    if (!strstr(stats(), "\"copy\":\"cma\"")) {
        skip("without cross-memory attach, a thread of the receiver copies what it receives");
    }
    pid_t sender = spawn("a", send_for_ever, &left);
    pid_t receiver = spawn("b", receive_three_and_tell, &right);
    get(right, &peer, sizeof peer);
    struct kit_address sender_address;
    get(left, &sender_address, sizeof sender_address);
    put(right, &sender_address, sizeof sender_address);
    get(right, &word, 1);
    get(right, &word, 1);
    EXPECT_EQUAL(word, 'p');
    kill(receiver, SIGSTOP);
    put(left, &peer, sizeof peer);
    get(left, &word, 1);
    await_traffic(left);
    kill(receiver, SIGCONT);
    expect_exit(receiver);
    kill(sender, SIGKILL);
    expect_signal(sender, SIGKILL);
}

static void take_all(int socket) {
    struct kit_wish wish = {.type = IBV_QPT_UC, .bytes = 1 << 20, .depth = 8};
    struct kit_end ends[10];
    for (int i = 0; i < 10; i++) {
        EXPECT_EQUAL(kit_open(&ends[i], "rdma_en5", &wish), 0);
    }
    put(socket, "t", 1);
    pause();
}

static void expect_none_left(int socket) {
    struct kit_wish wish = {.type = IBV_QPT_UC, .bytes = 1 << 20, .depth = 8};
    (void) socket;
    EXPECT_EQUAL(kit_open(&end, "rdma_en5", &wish), 16);
}

static void expect_some_left(int socket) {
    struct kit_wish wish = {.type = IBV_QPT_UC, .bytes = 1 << 20, .depth = 8};
    (void) socket;
    EXPECT_EQUAL(kit_open(&end, "rdma_en5", &wish), 0);
    kit_close(&end);
}

static void after_a_hog_was_killed(void (*then)(int)) {
    int socket;
    char word;
    pid_t hog = spawn("a", take_all, &socket);
    get(socket, &word, 1);
    int other;
    expect_exit(spawn("a", expect_none_left, &other));
    kill(hog, SIGKILL);
    expect_signal(hog, SIGKILL);
    expect_exit(spawn("a", then, &other));
}

static void budgets_are_of_the_machine_and_come_back(void) {
    after_a_hog_was_killed(expect_some_left);
}

static void shares_of_the_dead_can_leak(void) {
    after_a_hog_was_killed(expect_none_left);
}

/* Kills one end at a random moment of the traffic; the other must be able to tear down and a new pair to work. */
static void survive_a_kill(unsigned seed) {
    int left;
    int right;
    pid_t sender = spawn("a", send_for_ever, &left);
    pid_t receiver = spawn("b", receive_for_ever, &right);
    cross(left, right);
    await_traffic(right);
    vtb_pause_nanos((uint64_t) (rand_r(&seed) % 3000) * 1000);
    bool kill_sender = rand_r(&seed) % 2;
    kill(kill_sender ? sender : receiver, SIGKILL);
    expect_signal(kill_sender ? sender : receiver, SIGKILL);
    kill(kill_sender ? receiver : sender, SIGKILL);
    expect_signal(kill_sender ? receiver : sender, SIGKILL);
}

static void tear_down_when_told(int socket) {
    char word;
    connect_over(socket, IBV_QPT_UC);
    for (uint64_t i = 0; i < WINDOW; i++) {
        EXPECT_EQUAL(kit_receive(&end, i, i * MESSAGE, MESSAGE), 0);
    }
    get(socket, &word, 1);
    EXPECT_EQUAL(ibv_destroy_qp(end.qp), 0);
    EXPECT_EQUAL(ibv_dereg_mr(end.mr), 0);
}

/* The sender dies somewhere inside its engine's work; the receiver's teardown must not wait for it. */
static void a_survivor_tears_down_whenever_its_peer_died(void) {
    for (unsigned seed = 0; seed < 10; seed++) {
        int left;
        int right;
        pid_t sender = spawn("a", send_for_ever, &left);
        pid_t receiver = spawn("b", tear_down_when_told, &right);
        cross(left, right);
        await_traffic(left);
        vtb_pause_nanos((uint64_t) seed * 37000);
        kill(sender, SIGKILL);
        put(right, "t", 1);
        expect_signal(sender, SIGKILL);
        expect_exit(receiver);
    }
}

static void new_pairs_work_whenever_old_ones_were_killed(void) {
    for (unsigned seed = 0; seed < 15; seed++) {
        survive_a_kill(seed);
    }
}

static void hold_the_state_open(int socket) {
    char word;
    struct ibv_context *context = kit_open_device("rdma_en5");
    put(socket, "o", 1);
    get(socket, &word, 1);
    EXPECT_EQUAL(ibv_close_device(context), 0);
}

static void state_in_use_is_not_removed(void) {
    int socket;
    char word;
    pid_t holder = spawn("a", hold_the_state_open, &socket);
    get(socket, &word, 1);
    control("clean 2>/dev/null; test $? = 2");
    put(socket, "g", 1);
    expect_exit(holder);
    control("clean");
}

static void be_idle(int socket) {
    struct timespec before;
    struct timespec after;
    connect_over(socket, IBV_QPT_UC);
    EXPECT_EQUAL(kit_send(&end, 1, 0, FRAME), 0); /* one that waits for its receive */
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    vtb_pause_nanos(1000000000);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    int64_t nanos = (after.tv_sec - before.tv_sec) * INT64_C(1000000000) + after.tv_nsec - before.tv_nsec;
    EXPECT(nanos < 10000000); /* 1 % of a core */
}

static void idle_costs_nothing(void) {
    int left;
    int right;
    pid_t one = spawn("a", be_idle, &left);
    pid_t other = spawn("b", be_idle, &right);
    cross(left, right);
    expect_exit(one);
    expect_exit(other);
}

const struct test process_tests[] = {
    {"aPulledCableIsASegvInPostAtBothEnds", "", a_pulled_cable_is_a_segv_in_post_at_both_ends},
    {"aDeadPeerIsSilent", "", a_dead_peer_is_silent},
    {"aReadFromADeadPeerGivesUp", "mode rc", a_read_from_a_dead_peer_gives_up},
    {"aReadOverAPulledCableGivesUp", "mode rc", a_read_over_a_pulled_cable_gives_up},
    {"aStoppedProcessStillReceives", "", a_stopped_process_still_receives},
    {"budgetsAreOfTheMachineAndComeBack", "", budgets_are_of_the_machine_and_come_back},
    {"sharesOfTheDeadCanLeak", "option leak_dead on", shares_of_the_dead_can_leak},
    {"aSurvivorTearsDownWheneverItsPeerDied", "", a_survivor_tears_down_whenever_its_peer_died},
    {"newPairsWorkWheneverOldOnesWereKilled", "", new_pairs_work_whenever_old_ones_were_killed},
    {"newPairsWorkWheneverOldOnesWereKilledByBounce", "option copy bounce",
     new_pairs_work_whenever_old_ones_were_killed},
    {"stateInUseIsNotRemoved", "", state_in_use_is_not_removed},
    {"idleCostsNothing", "", idle_costs_nothing},
    {NULL, NULL, NULL},
};
