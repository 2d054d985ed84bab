#include "engine.h"

#include "bounce.h"
#include "deliver.h"
#include "futex.h"

#include <signal.h>
#include <stdio.h>
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

static const uint64_t LONGEST_SLEEP = 1000000000u;
enum { MANY_CORES = 8, SPIN_US_ON_MANY_CORES = 50, PASSES_PER_CPU_NOTE = 256 };

void vtb_thread_name(const char *name) {
#ifdef __linux__
    prctl(PR_SET_NAME, name, 0, 0, 0);
#else
    pthread_setname_np(name);
#endif
}

/*
 * Asks for the shortest time slice: a woken thread of short slices runs before the pollers that keep all cores busy.
 * Where the kernel does not know this, the engine is merely later.
 */
static void prefer_latency(void) {
#ifdef SYS_sched_setattr
    struct scheduling attr = {.size = sizeof attr, .runtime = 100000};
    syscall(SYS_sched_setattr, 0, &attr, 0);
#endif
}

void vtb_engine_ring(struct vtb_user *user) {
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&user->sleeping, memory_order_relaxed)) {
        atomic_fetch_add(&user->doorbell, 1);
        vtb_futex_wake(&user->doorbell);
    }
}

void vtb_engine_ring_all(struct vtb_device_state *device) {
    for (uint32_t i = 0; i < VTB_USERS; i++) {
        vtb_engine_ring(&device->users[i]);
    }
}

void vtb_engine_enter(struct vtb_port *port) {
    atomic_fetch_add(&port->user->active, 1);
}

void vtb_engine_leave(struct vtb_port *port) {
    atomic_fetch_add(&port->user->active, 1);
}

static uint64_t spin_nanos(const struct vtb_port *port) {
    int32_t us = vtb_rules_of(port)->spin_us;
    if (us < 0) {
        us = sysconf(_SC_NPROCESSORS_ONLN) >= MANY_CORES ? SPIN_US_ON_MANY_CORES : 0;
    }
    return (uint64_t) us * 1000;
}

/* One look at every queue pair. How long nothing can be done without a doorbell; 0: something was done. */
static uint64_t pass(struct vtb_port *port) {
    uint64_t wait = LONGEST_SLEEP;
    pthread_mutex_lock(&port->lock);
    for (uint32_t i = 0; i < VTB_QPS; i++) {
        struct vtb_qp *qp = port->queue_pairs[i];
        uint64_t one = qp ? vtb_deliver(qp) : LONGEST_SLEEP;
        wait = one < wait ? one : wait;
    }
    pthread_mutex_unlock(&port->lock);
    return wait;
}

void vtb_thread_publish_cpu(_Atomic uint64_t *place) {
    struct timespec cpu;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    *place = (uint64_t) cpu.tv_sec * 1000000000u + (uint64_t) cpu.tv_nsec;
}

/* The look between raising the flag and sleeping closes the gap in which a poster would see no sleeper. */
static void sleep_until_rung(struct vtb_port *port) {
    uint32_t bell = atomic_load(&port->user->doorbell);
    vtb_thread_publish_cpu(&port->user->engine_nanos);
    atomic_store(&port->user->sleeping, 1);
    atomic_thread_fence(memory_order_seq_cst);
    uint64_t wait = pass(port);
    if (wait && !port->stopping) {
        vtb_futex_wait(&port->user->doorbell, bell, wait);
    }
    atomic_store(&port->user->sleeping, 0);
}

static void *run(void *argument) {
    struct vtb_port *port = argument;
    uint64_t spin = spin_nanos(port);
    uint64_t idle_since = 0;
    uint32_t passes = 0;
    char name[16];
    snprintf(name, sizeof name, "vtb-en%u", port->fabric->topology.ports[port->index].number);
    vtb_thread_name(name);
    prefer_latency();
    while (!port->stopping) {
        if (pass(port) == 0) {
            idle_since = 0;
            if (++passes % PASSES_PER_CPU_NOTE == 0) {
                vtb_thread_publish_cpu(&port->user->engine_nanos);
            }
            continue;
        }
        uint64_t now = spin ? vtb_now() : 0;
        idle_since = idle_since ? idle_since : now;
        if (now - idle_since < spin) {
            vtb_relax();
            continue;
        }
        sleep_until_rung(port);
        idle_since = 0;
    }
    return NULL;
}

/* With all signals blocked: they are the program's, whose handlers expect its own threads. */
static int start_thread(pthread_t *thread, void *(*body)(void *), struct vtb_port *port) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(thread, NULL, body, port);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc;
}

int vtb_engine_start(struct vtb_port *port) {
    if (port->engine_started) {
        return 0;
    }
    port->stopping = false;
    int rc = start_thread(&port->engine, run, port);
    if (rc) {
        return rc;
    }
    port->engine_started = true;
    if (port->fabric->state->copy == VTB_COPY_BOUNCE && port->peer >= 0) {
        rc = start_thread(&port->bounce, vtb_bounce_run, port);
        port->bounce_started = rc == 0;
    }
    return rc;
}

void vtb_engine_stop(struct vtb_port *port) {
    if (!port->engine_started) {
        return;
    }
    port->stopping = true;
    atomic_fetch_add(&port->user->doorbell, 1);
    vtb_futex_wake(&port->user->doorbell);
    pthread_join(port->engine, NULL);
    if (port->bounce_started) {
        atomic_fetch_add(&port->user->bounce_bell, 1);
        vtb_futex_wake(&port->user->bounce_bell);
        pthread_join(port->bounce, NULL);
        port->bounce_started = false;
    }
    port->engine_started = false;
}
