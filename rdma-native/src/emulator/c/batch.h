/*
 * Layer 6, delivery. Gathers posted requests into one copy: resolves their memory on both ends and finds what forbids
 * them.
 */
#ifndef VTB_BATCH_H
#define VTB_BATCH_H

#include "vtb.h"
#include "wire.h"

enum { VTB_BATCH = 64, VTB_BATCH_BYTES = 1 << 20 };

/* The queue pair at the other end. */
struct vtb_peer {
    struct vtb_endpoint *endpoint;
    struct vtb_process process;
};

/* Requests of one kind from the head of a queue, in order. */
struct vtb_batch {
    struct iovec local[2 * VTB_BATCH];
    struct iovec remote[2 * VTB_BATCH];
    struct iovec targets[VTB_BATCH];   /* where each one's bytes go to, or the first piece of it */
    uint32_t lengths[VTB_BATCH];
    int local_count;
    int remote_count;
    uint32_t count;
    uint64_t frames;
    size_t bytes;
};

enum vtb_verdict {
    VTB_ADDED,
    VTB_STOP,          /* not now: another kind, or what came before must go first */
    VTB_NO_CREDIT,     /* no receive is posted */
    VTB_FRAMEWISE,     /* frames of it get lost, or did before: see stream.h */
    VTB_DROPPED,       /* vanishes on the wire as a whole */
    VTB_UNREACHABLE,   /* the wire takes nothing, or brings nothing back */
    VTB_REFUSED,
};

/* Why a request cannot be carried out: what its own completion says, and what the receive it meets says, if any. */
struct vtb_refusal {
    uint32_t status;
    uint32_t receive_status;
};

/* False: the peer is not there, or not connected to us, or may not receive. In the active section. */
bool vtb_find_peer(const struct vtb_qp *qp, struct vtb_peer *peer);

/* Collects as far as requests can be carried out. The verdict is on the first that was not added. */
enum vtb_verdict vtb_batch_collect(struct vtb_qp *qp, const struct vtb_peer *peer, struct vtb_batch *batch,
                                   struct vtb_refusal *refusal);

/* The memory a posted request names on this side, and a receive on the other. Count of pieces, or -1. */
int vtb_resolve_local(const struct vtb_qp *qp, const struct vtb_send *send, uint32_t rights, struct iovec pieces[2]);
int vtb_resolve_receive(const struct vtb_qp *qp, const struct vtb_peer *peer, const struct vtb_receive *receive,
                        struct iovec pieces[2]);

/* What both ends are told when the receiver's memory is at fault, or the lengths do not match. */
struct vtb_refusal vtb_receive_refusal(const struct vtb_qp *qp);
struct vtb_refusal vtb_length_refusal(const struct vtb_qp *qp);

static inline struct vtb_send *vtb_send_at(struct vtb_qp *qp, uint64_t index) {
    return &qp->sends[index % VTB_RING];
}

/* The direction in which the request's data goes. */
static inline struct vtb_direction *vtb_direction_of(const struct vtb_qp *qp, const struct vtb_send *send) {
    return send->opcode == IBV_WR_RDMA_READ ? qp->port->in : qp->port->out;
}

#endif
