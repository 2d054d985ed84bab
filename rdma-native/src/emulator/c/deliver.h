/*
 * Layer 6, delivery. Takes posted sends and reads off a queue pair and moves their bytes: the engine's work on one
 * queue pair.
 */
#ifndef VTB_DELIVER_H
#define VTB_DELIVER_H

#include "vtb.h"

/* Moves what can be moved now, up to a bound. 0: something was done; else for how many nanoseconds nothing can be. */
uint64_t vtb_deliver(struct vtb_qp *qp);

#endif
