/* The thread that moves a port's data: what a Thunderbolt controller does in hardware. */
#ifndef VTB_ENGINE_H
#define VTB_ENGINE_H

#include "vtb.h"

/* Starts the port's threads unless they run. Under the port's lock. 0 or an errno. */
int vtb_engine_start(struct vtb_port *port);

/* Ends them and waits for their end. Not under the port's lock. */
void vtb_engine_stop(struct vtb_port *port);

/* Tells an engine, of this process or another, that there may be work. A system call only if it sleeps. */
void vtb_engine_ring(struct vtb_user *user);

/* Rings every engine of a device. */
void vtb_engine_ring_all(struct vtb_device_state *device);

/* The active section: see fabric.h. */
void vtb_engine_enter(struct vtb_port *port);
void vtb_engine_leave(struct vtb_port *port);

/* Names the calling thread, so that its CPU time can be told apart. */
void vtb_thread_name(const char *name);

/* Writes the calling thread's CPU time so far. */
void vtb_thread_publish_cpu(_Atomic uint64_t *place);

#endif
