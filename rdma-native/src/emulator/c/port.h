/*
 * Layer 5, wire. What a port's cable does now, which processes live at its other end, and when nothing that comes over
 * it can touch memory any more.
 */
#ifndef VTB_PORT_H
#define VTB_PORT_H

#include "vtb.h"

/* Whether the port says ACTIVE to this context: a context that saw its cable pulled never comes back. */
bool vtb_context_active(const struct ibv_context *context);

/* Whether its cable takes frames now. */
bool vtb_port_carries(const struct vtb_port *port);

/* Whether this user of the peer device lives. The engine's; remembers the answer for a moment. */
bool vtb_port_peer_lives(struct vtb_port *port, uint32_t user);

/*
 * Waits until nothing can touch memory or a queue pair of this process that was made invalid before the call. False: an
 * engine at the other end is stuck inside a copy.
 */
bool vtb_port_quiesce(struct vtb_port *port);

#endif
