/*
 * Layer 8, programs. A self test: each test runs in a process and a topology of its own. Most drive both ends of a
 * loop cable (a:en5 to a:en6) from one process; those about processes fork before anybody opens a device.
 */
#ifndef VTB_HARNESS_H
#define VTB_HARNESS_H

#include "../kit.h"

#include <sys/types.h>

struct test {
    const char *name;
    const char *rules;         /* what the topology begins with; if it names host a, it has the hosts and cables, too */
    void (*run)(void);
};

/* Runs the test; vtbctl is in this folder. What the program has to exit with. */
int run_test(const struct test *test, const char *program_folder);

/* Ends the test as one that cannot run here. */
_Noreturn void skip(const char *why);

_Noreturn void fail_at(const char *file, int line, const char *what, long long found);

#define EXPECT(condition) ((condition) ? (void) 0 : fail_at(__FILE__, __LINE__, #condition, 0))
#define EXPECT_EQUAL(found, wanted) expect_equal(__FILE__, __LINE__, #found " == " #wanted, (found), (wanted))

static inline void expect_equal(const char *file, int line, const char *what, long long found, long long wanted) {
    if (found != wanted) {
        fail_at(file, line, what, found);
    }
}

/* Both ends of the loop cable. */
struct pair {
    struct kit_end left;
    struct kit_end right;
    struct kit_address left_address;
    struct kit_address right_address;
};

enum { PAIR_BYTES = 34 << 20, PAIR_DEPTH = 4095 };

/* Opened and connected; UC. */
void pair_open(struct pair *pair);
void pair_open_type(struct pair *pair, int type);
void pair_close(struct pair *pair);

/* The next completion, which must come within a few seconds. */
struct ibv_wc await(const struct kit_end *end);

/* As above, with this status. */
void await_status(const struct kit_end *end, int status);

/* No completion for long enough that one that is on its way would have come. */
void expect_quiet(const struct kit_end *end);

/* Fills with, and compares to, bytes that depend on a seed. */
void fill(uint8_t *memory, size_t bytes, uint64_t seed);
void expect_filled(const uint8_t *memory, size_t bytes, uint64_t seed);

/* Runs vtbctl on the test's topology. */
void control(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The output of `vtbctl stats`; valid until the next call. */
const char *stats(void);

/* A child that runs body as this host, with a socket to the parent (stdin, 0). Ends with status 0 if body returns. */
pid_t spawn(const char *host, void (*body)(int socket), int *socket);
void expect_exit(pid_t child);
void expect_signal(pid_t child, int signal);

/* Whole messages over such a socket. */
void put(int socket, const void *data, size_t size);
void get(int socket, void *data, size_t size);

/* Nothing comes over it, for as long as expect_quiet looks. */
void expect_silent(int socket);

#endif
