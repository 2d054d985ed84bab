#include "futex.h"

#include <time.h>

uint64_t vtb_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

void vtb_pause_nanos(uint64_t nanos) {
    struct timespec pause = {.tv_sec = (time_t) (nanos / 1000000000u), .tv_nsec = (long) (nanos % 1000000000u)};
    nanosleep(&pause, NULL);
}

#ifdef __linux__

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

void vtb_futex_wait(_Atomic uint32_t *word, uint32_t seen, uint64_t timeout_nanos) {
    struct timespec timeout = {
        .tv_sec = (time_t) (timeout_nanos / 1000000000u),
        .tv_nsec = (long) (timeout_nanos % 1000000000u),
    };
    syscall(SYS_futex, word, FUTEX_WAIT, seen, &timeout, NULL, 0);
}

void vtb_futex_wake(_Atomic uint32_t *word) {
    syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

#else

/* No portable wait on shared memory: look again often enough for tests, seldom enough to be idle. */
enum { LOOK_NANOS = 100000 };

void vtb_futex_wait(_Atomic uint32_t *word, uint32_t seen, uint64_t timeout_nanos) {
    for (uint64_t end = vtb_now() + timeout_nanos; atomic_load(word) == seen && vtb_now() < end;) {
        vtb_pause_nanos(LOOK_NANOS);
    }
}

void vtb_futex_wake(_Atomic uint32_t *word) {
    (void) word;
}

#endif
