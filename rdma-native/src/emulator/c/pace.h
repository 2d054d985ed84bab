/*
 * Layer 5, wire. How long a cable is busy with what goes over it in one direction, and when that has arrived at the
 * other end. Several engines, also of both ends, may share a direction: what one gives to the wire goes behind what the
 * others gave.
 *
 * A cable whose topology names a rate is held to it: what goes over it completes when the last byte would have arrived.
 * An engine copies a little ahead of that, and one that slept longer than the wire was busy makes up for it, as a token
 * bucket does; neither end is told before the bytes are due. A cable without a rate is only kept from carrying more
 * than its speed on average, and its completions are shown at once.
 */
#ifndef VTB_PACE_H
#define VTB_PACE_H

#include "vtb.h"

/* The time for which a run of bytes has the wire. */
struct vtb_passage {
    uint64_t from;             /* CLOCK_MONOTONIC nanoseconds */
    double nanos_per_byte;     /* 0: the cable is not held to a rate */
};

/*
 * Gives the queue pair's next bytes to the wire, behind all that it has. Those of one that waits for the wire would
 * have been on it as soon as it was free, however late the engine comes.
 */
struct vtb_passage vtb_pace_take(const struct vtb_qp *qp, struct vtb_direction *direction, uint64_t bytes);

/* When the first `bytes` of the passage have arrived; 0: their completions are shown at once. */
uint64_t vtb_pace_arrival(const struct vtb_passage *passage, uint64_t bytes);

/* For how many nanoseconds the wire takes nothing more. */
uint64_t vtb_pace_pause(const struct vtb_port *port, const struct vtb_direction *direction);

#endif
