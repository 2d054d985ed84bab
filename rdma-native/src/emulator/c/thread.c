#include "thread.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>

/* The kernel's sched_attr, first version; not every C library declares it. */
struct scheduling {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime;
    uint64_t deadline;
    uint64_t period;
};
#endif

int vtb_thread_start(pthread_t *thread, void *(*body)(void *), void *argument) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(thread, NULL, body, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc;
}

void vtb_thread_name(const char *name) {
#ifdef __linux__
    prctl(PR_SET_NAME, name, 0, 0, 0);
#else
    pthread_setname_np(name);
#endif
}

void vtb_thread_prefer_latency(void) {
#ifdef SYS_sched_setattr
    struct scheduling attr = {.size = sizeof attr, .runtime = 100000};
    syscall(SYS_sched_setattr, 0, &attr, 0);
#endif
}

void vtb_thread_publish_cpu(_Atomic uint64_t *place) {
    struct timespec cpu;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    *place = (uint64_t) cpu.tv_sec * 1000000000u + (uint64_t) cpu.tv_nsec;
}
