/*
 * Layer 6, delivery. Flips bits in frames that have arrived, where a fault says so: damage that no link check has
 * caught.
 */
#ifndef VTB_DAMAGE_H
#define VTB_DAMAGE_H

#include "batch.h"

/* One frame in the peer's memory. In the active section, before its completion is published. */
void vtb_damage_remote(struct vtb_qp *qp, const struct vtb_peer *peer, const struct iovec *frame, uint64_t ordinal);

/* Every frame of a batch that was copied; `ordinal` is its first frame's. */
void vtb_damage_batch(struct vtb_qp *qp, const struct vtb_peer *peer, const struct vtb_batch *batch, uint64_t ordinal);

#endif
