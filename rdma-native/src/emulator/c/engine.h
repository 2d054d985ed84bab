/*
 * Layer 6, delivery. The threads of a port: its engine, which moves its data as a Thunderbolt controller does in
 * hardware, and the one that answers mailboxes where the system has no cross-memory attach.
 */
#ifndef VTB_ENGINE_H
#define VTB_ENGINE_H

#include "vtb.h"

/* Starts the port's threads unless they run. Under the port's lock. 0 or an errno. */
int vtb_engine_start(struct vtb_port *port);

/* Ends them and waits for their end. Not under the port's lock. */
void vtb_engine_stop(struct vtb_port *port);

#endif
