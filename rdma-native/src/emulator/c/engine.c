#include "engine.h"

#include "bounce.h"
#include "deliver.h"
#include "futex.h"
#include "thread.h"

#include <stdio.h>
#include <unistd.h>

static const uint64_t LONGEST_SLEEP = 1000000000u;
enum { MANY_CORES = 8, SPIN_US_ON_MANY_CORES = 50, PASSES_PER_CPU_NOTE = 256 };

static uint64_t spin_nanos(const struct vtb_port *port) {
    int32_t us = vtb_rules_of(port)->spin_us;
    if (us < 0) {
        us = sysconf(_SC_NPROCESSORS_ONLN) >= MANY_CORES ? SPIN_US_ON_MANY_CORES : 0;
    }
    return (uint64_t) us * 1000;
}

/*
 * One look at every queue pair. How long nothing can be done without a doorbell; 0: something was done. A pass begins
 * behind the queue pair that moved something last, so that none starves where the wire takes one batch at a time.
 */
static uint64_t pass(struct vtb_port *port) {
    uint64_t wait = LONGEST_SLEEP;
    pthread_mutex_lock(&port->lock);
    uint32_t first = port->next;
    for (uint32_t i = 0; i < VTB_QPS; i++) {
        uint32_t slot = (first + i) % VTB_QPS;
        struct vtb_qp *qp = port->queue_pairs[slot];
        uint64_t one = qp ? vtb_deliver(qp) : LONGEST_SLEEP;
        wait = one < wait ? one : wait;
        port->next = one == 0 ? slot + 1 : port->next;
    }
    pthread_mutex_unlock(&port->lock);
    return wait;
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
    vtb_thread_prefer_latency();
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

int vtb_engine_start(struct vtb_port *port) {
    if (port->engine_started) {
        return 0;
    }
    port->stopping = false;
    int rc = vtb_thread_start(&port->engine, run, port);
    if (rc) {
        return rc;
    }
    port->engine_started = true;
    if (port->fabric->state->copy == VTB_COPY_BOUNCE && port->peer >= 0) {
        rc = vtb_thread_start(&port->bounce, vtb_bounce_run, port);
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
