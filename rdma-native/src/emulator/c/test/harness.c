#include "harness.h"

#include "../futex.h"

#include <errno.h>
#include <ftw.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 1024, LONGEST_TEST_SECONDS = 60, SKIPPED = 77 };
static const uint64_t PATIENCE_NANOS = 20000000000u;
static const uint64_t QUIET_NANOS = 50000000;

static const char HOSTS[] = "host a\nhost b\ncable c a:en2 b:en2\ncable loop a:en5 a:en6\nport a:en9\n";

static char folder[PATH];
static char topology[PATH + 16];
static char tools[PATH];

_Noreturn void skip(const char *why) {
    printf("skipped: %s\n", why);
    exit(SKIPPED);
}

_Noreturn void fail_at(const char *file, int line, const char *what, long long found) {
    fprintf(stderr, "%s:%d: %s does not hold (found %lld, errno %d)\n", basename((char *) file), line, what, found,
            errno);
    exit(1);
}

void pair_open_type(struct pair *pair, int type) {
    struct kit_wish wish = {.type = type, .bytes = PAIR_BYTES, .depth = PAIR_DEPTH};
    EXPECT_EQUAL(kit_open(&pair->left, "rdma_en5", &wish), 0);
    EXPECT_EQUAL(kit_open(&pair->right, "rdma_en6", &wish), 0);
    pair->left_address = kit_address(&pair->left);
    pair->right_address = kit_address(&pair->right);
    EXPECT_EQUAL(kit_connect(&pair->left, &pair->right_address), 0);
    EXPECT_EQUAL(kit_connect(&pair->right, &pair->left_address), 0);
}

void pair_open(struct pair *pair) {
    pair_open_type(pair, IBV_QPT_UC);
}

void pair_close(struct pair *pair) {
    kit_close(&pair->left);
    kit_close(&pair->right);
}

static bool poll_until(const struct kit_end *end, uint64_t nanos, struct ibv_wc *wc) {
    for (uint64_t stop = vtb_now() + nanos; vtb_now() < stop;) {
        int count = ibv_poll_cq(end->cq, 1, wc);
        EXPECT(count >= 0);
        if (count) {
            return true;
        }
        vtb_pause_nanos(20000);
    }
    return false;
}

struct ibv_wc await(const struct kit_end *end) {
    struct ibv_wc wc;
    EXPECT(poll_until(end, PATIENCE_NANOS, &wc));
    return wc;
}

void await_status(const struct kit_end *end, int status) {
    EXPECT_EQUAL(await(end).status, status);
}

void expect_quiet(const struct kit_end *end) {
    struct ibv_wc wc;
    EXPECT(!poll_until(end, QUIET_NANOS, &wc));
}

static uint8_t byte_at(size_t place, uint64_t seed) {
    return (uint8_t) ((place * 31 + place / 4096 * 17 + seed * 101 + 7) >> (place & 3));
}

void fill(uint8_t *memory, size_t bytes, uint64_t seed) {
    for (size_t i = 0; i < bytes; i++) {
        memory[i] = byte_at(i, seed);
    }
}

void expect_filled(const uint8_t *memory, size_t bytes, uint64_t seed) {
    for (size_t i = 0; i < bytes; i++) {
        if (memory[i] != byte_at(i, seed)) {
            fail_at(__FILE__, __LINE__, "byte as sent", (long long) i);
        }
    }
}

void control(const char *format, ...) {
    char words[PATH];
    char command[4 * PATH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    snprintf(command, sizeof command, "'%s/vtbctl' '%s' %s", tools, topology, words);
    EXPECT_EQUAL(system(command), 0);
}

const char *stats(void) {
    static char text[1 << 16];
    char command[4 * PATH];
    snprintf(command, sizeof command, "'%s/vtbctl' '%s' stats", tools, topology);
    FILE *pipe = popen(command, "r");
    EXPECT(pipe);
    size_t size = fread(text, 1, sizeof text - 1, pipe);
    text[size] = 0;
    EXPECT_EQUAL(pclose(pipe), 0);
    return text;
}

pid_t spawn(const char *host, void (*body)(int socket), int *socket) {
    int sockets[2];
    EXPECT_EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        close(sockets[0]);
        setenv("BOLT_VTB_HOST", host, 1);
        alarm(LONGEST_TEST_SECONDS);
        body(sockets[1]);
        exit(0);
    }
    close(sockets[1]);
    *socket = sockets[0];
    return child;
}

void expect_exit(pid_t child) {
    int status;
    EXPECT_EQUAL(waitpid(child, &status, 0), child);
    EXPECT(WIFEXITED(status));
    EXPECT_EQUAL(WEXITSTATUS(status), 0);
}

void expect_signal(pid_t child, int signal) {
    int status;
    EXPECT_EQUAL(waitpid(child, &status, 0), child);
    EXPECT(WIFSIGNALED(status));
    EXPECT_EQUAL(WTERMSIG(status), signal);
}

void put(int socket, const void *data, size_t size) {
    EXPECT_EQUAL(write(socket, data, size), (ssize_t) size);
}

void get(int socket, void *data, size_t size) {
    for (size_t got = 0; got < size;) {
        ssize_t rc = read(socket, (char *) data + got, size - got);
        EXPECT(rc > 0);
        got += (size_t) rc;
    }
}

void expect_silent(int socket) {
    struct pollfd wait = {.fd = socket, .events = POLLIN};
    EXPECT_EQUAL(poll(&wait, 1, (int) (QUIET_NANOS / 1000000)), 0);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void) status;
    (void) type;
    (void) place;
    return remove(path);
}

static void make_topology(const struct test *test) {
    const char *parent = getenv("TMPDIR");
    const char *rules = getenv("VTBTEST_RULES");
    snprintf(folder, sizeof folder, "%s/vtbtest.XXXXXX", parent ? parent : "/tmp");
    EXPECT(mkdtemp(folder));
    snprintf(topology, sizeof topology, "%s/topology", folder);
    FILE *file = fopen(topology, "w");
    EXPECT(file);
    bool complete = strstr(test->rules, "host a\n");
    fprintf(file, "%s\n%s\n%s", test->rules, rules ? rules : "", complete ? "" : HOSTS);
    EXPECT_EQUAL(fclose(file), 0);
    setenv("BOLT_VTB_TOPOLOGY", topology, 1);
    setenv("BOLT_VTB_HOST", "a", 1);
}

/* In a process group of its own, so that nothing of a test outlives it, however it ended. */
int run_test(const struct test *test, const char *program_folder) {
    int status;
    snprintf(tools, sizeof tools, "%s", program_folder);
    make_topology(test);
    pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        setpgid(0, 0);
        alarm(LONGEST_TEST_SECONDS);
        test->run();
        exit(0);
    }
    EXPECT_EQUAL(waitpid(child, &status, 0), child);
    kill(-child, SIGKILL);
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "ended by signal %d\n", WTERMSIG(status));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
