/*
 * Layer 6, delivery. What happens to a message of which frames get lost under Apple's rules. There is no message
 * number on the wire: the receiver fills its posted receives frame by frame, so one lost frame shifts every later
 * boundary, and all that follows arrives in the wrong place with status SUCCESS. Where losses are marked, a receive
 * that misses a frame fails instead.
 */
#ifndef VTB_STREAM_H
#define VTB_STREAM_H

#include "batch.h"

enum vtb_streamed { VTB_STREAMED, VTB_STREAM_NO_CREDIT, VTB_STREAM_REFUSED };

/* Sends the message at the head of the queue frame by frame, as far as there are receives. In the active section. */
enum vtb_streamed vtb_stream_send(struct vtb_qp *qp, const struct vtb_peer *peer, struct vtb_refusal *refusal);

#endif
