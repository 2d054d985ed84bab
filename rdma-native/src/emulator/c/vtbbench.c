/*
 * Layer 8, programs. vtbbench: two processes, one virtual cable, a checked stream and a ping-pong: what a program in C
 * gets out of the virtual Thunderbolt, as the measure for programs in other languages. At most `depth` messages are
 * under way; they come from and go to `places` buffers in turn. Prints one line of JSON.
 */
#include "futex.h"
#include "kit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FRAME = 4096, POLL_BATCH = 16, SPINS = 200, SIDES = 2, PING_BYTES = 4096 };
static const uint64_t BACK_OFF_NANOS = 20000;
static const uint64_t STALL_NANOS = 60000000000u;

static struct {
    const char *hosts[SIDES];
    const char *devices[SIDES];
    bool reads;
    uint64_t bytes;
    uint32_t message;
    uint32_t depth;
    uint32_t places;
    uint32_t rounds;
} options = {.bytes = UINT64_C(1) << 30, .message = 1 << 20, .depth = 8, .rounds = 20000};

/* What a side reports to the parent. */
struct report {
    double seconds;
    double app_cpu;
    double engine_cpu;
    double rtt_us[6]; /* min, p50, p90, p99, p999, max */
};

static const char *const rtt_names[] = {"min", "p50", "p90", "p99", "p999", "max"};
static int peer_socket;
static struct kit_end end;
static struct kit_address peer;

static _Noreturn void die(const char *what, int error) {
    fprintf(stderr, "vtbbench: %s: %s\n", what, strerror(error < 0 ? -error : error));
    exit(1);
}

static void check(const char *what, int rc) {
    if (rc) {
        die(what, rc);
    }
}

static void meet(void) {
    char mine = 0;
    char theirs;
    check("meet the other side", kit_exchange(peer_socket, &mine, &theirs, 1));
}

static double cpu(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

/* Polls until something completed. Spinning for ever would cost a core that others need. */
static int poll_some(struct ibv_wc *wc, bool back_off) {
    uint64_t end_at = 0;
    for (uint32_t spins = 0;; spins++) {
        int count = ibv_poll_cq(end.cq, POLL_BATCH, wc);
        if (count > 0) {
            for (int i = 0; i < count; i++) {
                if (wc[i].status != IBV_WC_SUCCESS) {
                    fprintf(stderr, "vtbbench: completion: %s\n", ibv_wc_status_str(wc[i].status));
                    exit(1);
                }
            }
            return count;
        }
        if (spins < SPINS || !back_off) {
            vtb_relax();
            continue;
        }
        end_at = end_at ? end_at : vtb_now() + STALL_NANOS;
        if (vtb_now() > end_at) {
            die("no completion", ETIMEDOUT);
        }
        vtb_pause_nanos(BACK_OFF_NANOS);
    }
}

static uint32_t frames_of_message(void) {
    return (options.message - 1) / FRAME + 1;
}

static uint64_t messages(void) {
    return options.bytes / options.message;
}

/* Each frame begins with a number that no other frame of the stream has. */
static void tag(uint64_t message) {
    uint8_t *memory = end.memory + message % options.places * options.message;
    for (uint32_t i = 0; i < frames_of_message(); i++) {
        *(uint64_t *) (memory + (size_t) i * FRAME) = message * frames_of_message() + i;
    }
}

static void check_tags(uint64_t message, size_t place) {
    const uint8_t *memory = end.memory + place * options.message;
    for (uint32_t i = 0; i < frames_of_message(); i++) {
        uint64_t found = *(const uint64_t *) (memory + (size_t) i * FRAME);
        if (found != message * frames_of_message() + i) {
            fprintf(stderr, "vtbbench: message %llu frame %u holds %llu\n", (unsigned long long) message, i,
                    (unsigned long long) found);
            exit(1);
        }
    }
}

static void stream_send(void) {
    struct ibv_wc wc[POLL_BATCH];
    uint64_t posted = 0;
    for (uint64_t done = 0; done < messages();) {
        while (posted < messages() && posted - done < options.depth) {
            tag(posted);
            check("post_send", kit_send(&end, posted, posted % options.places * options.message, options.message));
            posted++;
        }
        done += (uint64_t) poll_some(wc, true);
    }
}

static void post_receive(uint64_t message) {
    check("post_recv", kit_receive(&end, message, message % options.places * options.message, options.message));
}

static void stream_receive(void) {
    struct ibv_wc wc[POLL_BATCH];
    uint64_t posted = 0;
    while (posted < options.depth && posted < messages()) {
        post_receive(posted++);
    }
    meet();
    for (uint64_t done = 0; done < messages();) {
        int count = poll_some(wc, true);
        for (int i = 0; i < count; i++, done++) {
            check_tags(wc[i].wr_id, wc[i].wr_id % options.places);
            if (posted < messages()) {
                post_receive(posted++);
            }
        }
    }
}

/* Reads the same `places` messages over and over; the other side wrote them once. */
static void stream_read(void) {
    struct ibv_wc wc[POLL_BATCH];
    uint64_t posted = 0;
    meet();
    for (uint64_t done = 0; done < messages();) {
        while (posted < messages() && posted - done < options.depth) {
            size_t place = posted % options.places * options.message;
            check("post_send", kit_read(&end, &peer, posted, place, place, options.message));
            posted++;
        }
        int count = poll_some(wc, true);
        for (int i = 0; i < count; i++, done++) {
            check_tags(wc[i].wr_id % options.places, wc[i].wr_id % options.places);
        }
    }
}

static void stream(int side, struct report *report) {
    if (side == 1 && options.reads) {
        for (uint64_t i = 0; i < options.places; i++) {
            tag(i);
        }
    }
    double app = cpu(CLOCK_THREAD_CPUTIME_ID);
    double all = cpu(CLOCK_PROCESS_CPUTIME_ID);
    uint64_t start = vtb_now();
    bool active = options.reads ? side == 0 : side == 1;
    if (options.reads) {
        active ? stream_read() : meet();
    } else if (active) {
        meet();
        stream_send();
    } else {
        stream_receive();
    }
    meet();
    report->seconds = (double) (vtb_now() - start) / 1e9;
    report->app_cpu = cpu(CLOCK_THREAD_CPUTIME_ID) - app;
    report->engine_cpu = cpu(CLOCK_PROCESS_CPUTIME_ID) - all - report->app_cpu;
}

static int by_value(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *) a;
    uint32_t right = *(const uint32_t *) b;
    return left < right ? -1 : left > right;
}

/* Waits for `wanted` completions of this opcode, of any number of others. */
static void await_opcode(int opcode) {
    struct ibv_wc wc[POLL_BATCH];
    for (bool seen = false; !seen;) {
        int count = poll_some(wc, false);
        for (int i = 0; i < count; i++) {
            seen |= wc[i].opcode == opcode;
        }
    }
}

/* By SEND over either kind of queue pair. */
static void ping(int side) {
    if (side == 0) {
        check("post_send", kit_send(&end, 0, 0, PING_BYTES));
    }
    await_opcode(IBV_WC_RECV);
    check("post_recv", kit_receive(&end, 0, PING_BYTES, PING_BYTES));
    if (side == 1) {
        check("post_send", kit_send(&end, 0, 0, PING_BYTES));
    }
}

static void ping_pong(int side, struct report *report) {
    uint32_t *times = calloc(options.rounds, sizeof *times);
    if (!times) {
        die("calloc", ENOMEM);
    }
    check("post_recv", kit_receive(&end, 0, PING_BYTES, PING_BYTES));
    meet();
    for (uint32_t i = 0; i < options.rounds; i++) {
        uint64_t start = vtb_now();
        ping(side);
        times[i] = (uint32_t) (vtb_now() - start);
    }
    meet();
    qsort(times, options.rounds, sizeof *times, by_value);
    const double ranks[] = {0, 0.5, 0.9, 0.99, 0.999, 1};
    for (int i = 0; i < 6; i++) {
        report->rtt_us[i] = times[(uint32_t) (ranks[i] * (options.rounds - 1))] / 1e3;
    }
    free(times);
}

static struct report run_side(int side) {
    struct report report;
    size_t buffers = (size_t) options.message * options.places;
    struct kit_wish wish = {
        .type = options.reads ? IBV_QPT_RC : IBV_QPT_UC,
        .bytes = buffers < 2 * PING_BYTES ? 2 * PING_BYTES : buffers,
        .depth = 4095,
    };
    setenv("BOLT_VTB_HOST", options.hosts[side], 1);
    check("open", kit_open(&end, options.devices[side], &wish));
    memset(end.memory, 0, end.bytes);
    struct kit_address mine = kit_address(&end);
    check("meet the other side", kit_exchange(peer_socket, &mine, &peer, sizeof mine));
    check("connect", kit_connect(&end, &peer));
    meet();
    stream(side, &report);
    if (options.rounds) {
        ping_pong(side, &report);
    }
    kit_close(&end);
    return report;
}

static void print_side(const char *name, const struct report *report) {
    double gb = (double) (messages() * options.message) / 1e9;
    printf(",\"%s\":{\"appCpuSecondsPerGb\":%.4f,\"engineCpuSecondsPerGb\":%.4f}", name, report->app_cpu / gb,
           report->engine_cpu / gb);
}

static void print(const struct report *reports) {
    double bytes = (double) (messages() * options.message);
    printf("{\"mode\":\"%s\",\"messageBytes\":%u,\"depth\":%u,\"streamBytes\":%.0f,\"seconds\":%.3f,"
           "\"gbPerSecond\":%.3f",
           options.reads ? "read" : "send", options.message, options.depth, bytes, reports[0].seconds,
           bytes / reports[0].seconds / 1e9);
    print_side(options.reads ? "reader" : "receiver", &reports[0]);
    print_side(options.reads ? "server" : "sender", &reports[1]);
    if (options.rounds) {
        printf(",\"roundTrip\":{\"bytes\":%d,\"rounds\":%u", PING_BYTES, options.rounds);
        for (int i = 0; i < 6; i++) {
            printf(",\"%sUs\":%.2f", rtt_names[i], reports[0].rtt_us[i]);
        }
        printf("}");
    }
    printf("}\n");
}

static _Noreturn void usage(void) {
    fputs("usage: vtbbench TOPOLOGY HOST[:rdma_enX] HOST[:rdma_enY] [--read] [--bytes N] [--message N] [--depth N]"
          " [--places N] [--rounds N]\n", stderr);
    exit(2);
}

static uint64_t positive(const char *word, uint64_t max) {
    char *rest;
    unsigned long long value = word ? strtoull(word, &rest, 0) : 0;
    if (!word || *rest || value > max) {
        usage();
    }
    return value;
}

static void parse(int count, char **words) {
    if (count < 4) {
        usage();
    }
    setenv("BOLT_VTB_TOPOLOGY", words[1], 1);
    for (int side = 0; side < SIDES; side++) {
        char *name = words[2 + side];
        options.hosts[side] = strtok(name, ":");
        options.devices[side] = strtok(NULL, ":");
        if (!options.hosts[side]) {
            usage();
        }
    }
    for (int i = 4; i < count; i++) {
        const char *value = i + 1 < count ? words[i + 1] : NULL;
        if (!strcmp(words[i], "--read")) {
            options.reads = true;
            continue;
        }
        i++;
        if (!strcmp(words[i - 1], "--bytes")) {
            options.bytes = positive(value, UINT64_C(1) << 50);
        } else if (!strcmp(words[i - 1], "--message")) {
            options.message = (uint32_t) positive(value, 4095 * FRAME);
        } else if (!strcmp(words[i - 1], "--depth")) {
            options.depth = (uint32_t) positive(value, 4095);
        } else if (!strcmp(words[i - 1], "--places")) {
            options.places = (uint32_t) positive(value, 4095);
        } else if (!strcmp(words[i - 1], "--rounds")) {
            options.rounds = (uint32_t) positive(value, 10000000);
        } else {
            usage();
        }
    }
    if (options.places == 0) {
        options.places = options.depth;
    }
    if (options.places < options.depth || options.message < 8 || options.depth == 0
            || options.bytes < options.message) {
        usage();
    }
}

/* Runs a side in a child of its own, which writes its report into the pipe. */
static pid_t start(int side, const int sockets[SIDES], int report_pipe) {
    pid_t child = fork();
    if (child == 0) {
        peer_socket = sockets[side];
        close(sockets[1 - side]); /* or the other side's end would not be noticed */
        struct report report = run_side(side);
        exit(write(report_pipe, &report, sizeof report) == sizeof report ? 0 : 1);
    }
    return child;
}

int main(int count, char **words) {
    int sockets[SIDES];
    int pipes[SIDES][2];
    pid_t children[SIDES];
    struct report reports[SIDES];
    bool failed = false;
    parse(count, words);
    check("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) ? errno : 0);
    for (int side = 0; side < SIDES; side++) {
        check("pipe", pipe(pipes[side]) ? errno : 0);
        children[side] = start(side, sockets, pipes[side][1]);
    }
    close(sockets[0]);
    close(sockets[1]);
    for (int side = 0; side < SIDES; side++) {
        int status;
        waitpid(children[side], &status, 0);
        failed |= status != 0 || read(pipes[side][0], &reports[side], sizeof reports[side]) != sizeof reports[side];
    }
    if (failed) {
        return 1;
    }
    print(reports);
    return 0;
}
