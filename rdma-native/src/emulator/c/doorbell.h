/* Layer 3, fabric. Tells an engine, of this process or another, that there may be work. */
#ifndef VTB_DOORBELL_H
#define VTB_DOORBELL_H

#include "fabric.h"

/* A system call only if the engine sleeps. */
void vtb_doorbell_ring(struct vtb_user *user);

/* Rings every engine of a device. */
void vtb_doorbell_ring_all(struct vtb_device_state *device);

#endif
