/*
 * Layer 7, verbs. Completion queues: no ring of their own, but a view on the rings of the queue pairs attached to
 * them.
 */
#ifndef VTB_COMPLETION_H
#define VTB_COMPLETION_H

#include "vtb.h"

/* Attaches to, and detaches from, both completion queues of the queue pair. */
void vtb_cq_attach(struct vtb_qp *qp);
void vtb_cq_detach(struct vtb_qp *qp);

/* Forgets what is posted and not polled, as a queue pair going to RESET does. Nothing may be moving. */
void vtb_cq_forget(struct vtb_qp *qp);

#endif
