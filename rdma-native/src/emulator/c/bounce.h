/*
 * Layer 5, wire. The copy of last resort: bytes go through a mailbox in shared memory, and a thread of the other
 * process copies them out of it or into it. For systems without cross-memory attach.
 */
#ifndef VTB_BOUNCE_H
#define VTB_BOUNCE_H

#include "transfer.h"
#include "vtb.h"

enum vtb_wire_result vtb_bounce_move(
    struct vtb_port *port, uint32_t user, const struct vtb_transfer *transfer, bool write, size_t *moved);

/* Thread: answers the mailboxes that other processes address to this port, until it is stopping. */
void *vtb_bounce_run(void *port);

/* Waits until that thread touches nothing that was invalid before the call. */
void vtb_bounce_quiesce(struct vtb_port *port);

#endif
