#include "pace.h"

#include "futex.h"

/* How much of what it has not carried yet a wire takes: sleeping for less than that is not worth it. */
static const uint64_t SLACK = 50000;

/* The same where completions wait for their bytes. */
static const uint64_t HELD_AHEAD = 4000000;

/* The longest delay of an engine that a held wire makes up for: the depth of its bucket, in time. */
static const uint64_t HELD_CATCH_UP = 50000000;

static const struct vtb_cable_spec *cable_of(const struct vtb_port *port) {
    const struct vtb_topology *topology = &port->fabric->topology;
    return &topology->cables[topology->ports[port->index].cable];
}

static bool held(const struct vtb_port *port) {
    return cable_of(port)->bytes_per_second != 0;
}

/* A fault may have given the direction another speed, held or not. */
static double nanos_per_byte(const struct vtb_port *port, const struct vtb_direction *direction) {
    uint32_t mbps = direction->mbps;
    if (mbps) {
        return 8000.0 / mbps;
    }
    return held(port) ? 1e9 / (double) cable_of(port)->bytes_per_second : 8 / cable_of(port)->gbps;
}

struct vtb_passage vtb_pace_take(const struct vtb_qp *qp, struct vtb_direction *direction, uint64_t bytes) {
    const struct vtb_port *port = qp->port;
    double each = nanos_per_byte(port, direction);
    uint64_t takes = (uint64_t) ((double) bytes * each);
    uint64_t earliest = vtb_now() - (held(port) && qp->waits_for_wire ? HELD_CATCH_UP : 0);
    uint64_t free_at = direction->free_at;
    uint64_t from;
    do {
        from = free_at > earliest ? free_at : earliest;
    } while (!atomic_compare_exchange_weak(&direction->free_at, &free_at, from + takes));
    return (struct vtb_passage){from, held(port) ? each : 0};
}

uint64_t vtb_pace_arrival(const struct vtb_passage *passage, uint64_t bytes) {
    if (passage->nanos_per_byte == 0) {
        return 0;
    }
    return passage->from + (uint64_t) ((double) bytes * passage->nanos_per_byte);
}

uint64_t vtb_pace_pause(const struct vtb_port *port, const struct vtb_direction *direction) {
    uint64_t now = vtb_now();
    uint64_t free_at = direction->free_at;
    uint64_t ahead = held(port) ? HELD_AHEAD : SLACK;
    if (free_at <= now + ahead) {
        return 0;
    }
    return held(port) ? free_at - now - HELD_AHEAD / 2 : free_at - now;
}
