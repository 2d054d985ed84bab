#include "deliver.h"

#include "device.h"
#include "engine.h"
#include "futex.h"
#include "memory.h"
#include "wire.h"

#include <string.h>

enum { BATCH = 64, BATCH_BYTES = 1 << 20 };
static const uint64_t UNTIL_RUNG = 1000000000u;
static const uint64_t PACE_SLACK = 50000;
static const uint64_t RETRY_LOOK = 1000000;
static const uint64_t RNR_NANOS = 1000000;

/* The queue pair at the other end, as long as it is connected to ours and may receive. */
struct peer {
    struct vtb_endpoint *endpoint;
    uint32_t user;
};

/* Work requests that go over the wire in one copy. */
struct batch {
    struct iovec local[2 * BATCH];
    struct iovec remote[2 * BATCH];
    uint32_t lengths[BATCH];
    int local_count;
    int remote_count;
    uint32_t count;
    size_t bytes;
};

enum verdict { ADDED, STOP, NO_CREDIT, REFUSED };

/* Why a request cannot be carried out: what its own completion says, and what the receive it meets says, if any. */
struct refusal {
    uint32_t status;
    uint32_t receive_status;
};

static const struct refusal LOCAL_PROTECTION = {IBV_WC_LOC_PROT_ERR, IBV_WC_SUCCESS};

static bool find_peer(const struct vtb_qp *qp, struct peer *peer) {
    uint32_t number = qp->attributes.dest_qp_num;
    struct vtb_endpoint *endpoint = &qp->port->peer_device->endpoints[number % VTB_QPS];
    uint32_t state = atomic_load(&endpoint->state);
    peer->endpoint = endpoint;
    peer->user = vtb_owner_user(endpoint->owner);
    return atomic_load(&endpoint->number) == number
        && endpoint->peer == qp->ibv.qp_num
        && (state == IBV_QPS_RTR || state == IBV_QPS_RTS)
        && peer->user < VTB_USERS;
}

static struct vtb_send *send_at(struct vtb_qp *qp, uint64_t index) {
    return &qp->sends[index % VTB_RING];
}

static void complete(struct vtb_qp *qp, uint32_t status) {
    uint64_t done = qp->send_done;
    send_at(qp, done)->status = status;
    atomic_store_explicit(&qp->send_done, done + 1, memory_order_release);
}

static uint64_t flush(struct vtb_qp *qp) {
    bool any = qp->send_done < qp->send_posted;
    while (qp->send_done < qp->send_posted) {
        complete(qp, IBV_WC_WR_FLUSH_ERR);
    }
    return any ? 0 : UNTIL_RUNG;
}

/* Outside the active section: the engine of the other end may be waiting for us in the same way. */
static void enter_error(struct vtb_qp *qp) {
    atomic_store(&qp->endpoint->state, IBV_QPS_ERR);
    if (vtb_fabric_quiesce(qp->port->fabric, (uint32_t) qp->port->peer)) {
        atomic_store(&qp->endpoint->flushed, 1);
    }
}

static void fail_peer(const struct vtb_qp *qp, const struct peer *peer, uint32_t status) {
    struct vtb_endpoint *endpoint = peer->endpoint;
    uint64_t completed = endpoint->completed;
    struct vtb_receive *receive = &endpoint->ring[completed % VTB_RING];
    receive->status = status;
    receive->byte_len = 0;
    atomic_store_explicit(&endpoint->completed, completed + 1, memory_order_release);
    atomic_store(&endpoint->state, IBV_QPS_ERR);
    atomic_store(&endpoint->flushed, 1);
    vtb_engine_ring(&qp->port->peer_device->users[peer->user]);
}

/* Carries a refusal of the first request out; called in the active section. */
static void refuse(struct vtb_qp *qp, const struct peer *peer, struct refusal refusal) {
    if (refusal.receive_status != IBV_WC_SUCCESS) {
        fail_peer(qp, peer, refusal.receive_status);
    }
    complete(qp, refusal.status);
}

static int add_pieces(struct iovec *list, int count, const struct iovec *pieces, int more) {
    memcpy(list + count, pieces, (size_t) more * sizeof *pieces);
    return count + more;
}

static void add(struct batch *batch, uint32_t length, const struct iovec *local, int locals, const struct iovec *remote,
                int remotes) {
    batch->local_count = add_pieces(batch->local, batch->local_count, local, locals);
    batch->remote_count = add_pieces(batch->remote, batch->remote_count, remote, remotes);
    batch->lengths[batch->count++] = length;
    batch->bytes += length;
}

static int resolve_local(const struct vtb_qp *qp, const struct vtb_send *send, uint32_t rights, struct iovec pieces[2]) {
    if (send->inlined || send->length == 0) {
        pieces[0] = (struct iovec){(void *) (uintptr_t) send->address, send->length};
        return 1;
    }
    struct vtb_access access = {
        .key = send->lkey,
        .pd = qp->endpoint->pd,
        .rights = rights,
        .address = send->address,
        .length = send->length,
    };
    return vtb_memory_resolve(vtb_rules_of(qp->port), qp->port->device, &access, pieces);
}

static bool fits(const struct vtb_qp *qp, const struct vtb_send *send, const struct vtb_receive *receive) {
    bool same_frames = !qp->framed || vtb_frames(send->length) == vtb_frames(receive->length);
    return same_frames && send->length <= receive->length;
}

static struct refusal length_refusal(const struct vtb_qp *qp) {
    bool reliable = qp->ibv.qp_type == IBV_QPT_RC;
    return (struct refusal){reliable ? IBV_WC_REM_INV_REQ_ERR : IBV_WC_SUCCESS, IBV_WC_LOC_LEN_ERR};
}

static struct refusal receive_refusal(const struct vtb_qp *qp) {
    bool reliable = qp->ibv.qp_type == IBV_QPT_RC;
    return (struct refusal){reliable ? IBV_WC_REM_OP_ERR : IBV_WC_SUCCESS, IBV_WC_LOC_PROT_ERR};
}

static enum verdict add_send(struct vtb_qp *qp, const struct peer *peer, const struct vtb_send *send, uint64_t ahead,
                             struct batch *batch, struct refusal *refusal) {
    struct vtb_endpoint *endpoint = peer->endpoint;
    uint64_t index = endpoint->completed + ahead;
    struct iovec local[2];
    struct iovec remote[2];
    if (index >= atomic_load_explicit(&endpoint->posted, memory_order_acquire)) {
        return NO_CREDIT;
    }
    const struct vtb_receive *receive = &endpoint->ring[index % VTB_RING];
    int locals = resolve_local(qp, send, 0, local);
    if (locals < 0) {
        *refusal = LOCAL_PROTECTION;
        return REFUSED;
    }
    if (!fits(qp, send, receive)) {
        *refusal = length_refusal(qp);
        return REFUSED;
    }
    struct vtb_access access = {
        .key = receive->lkey,
        .pd = endpoint->pd,
        .rights = IBV_ACCESS_LOCAL_WRITE,
        .address = receive->address,
        .length = send->length,
    };
    int remotes = send->length == 0
        ? 0 : vtb_memory_resolve(vtb_rules_of(qp->port), qp->port->peer_device, &access, remote);
    if (remotes < 0) {
        *refusal = receive_refusal(qp);
        return REFUSED;
    }
    add(batch, send->length, local, locals, remote, remotes);
    return ADDED;
}

static enum verdict add_read(struct vtb_qp *qp, const struct peer *peer, const struct vtb_send *send,
                             struct batch *batch, struct refusal *refusal) {
    struct iovec local[2];
    struct iovec remote[2];
    struct vtb_access access = {
        .key = send->rkey,
        .pd = peer->endpoint->pd,
        .rights = IBV_ACCESS_REMOTE_READ,
        .address = send->remote_address,
        .length = send->length,
    };
    int locals = resolve_local(qp, send, IBV_ACCESS_LOCAL_WRITE, local);
    if (locals < 0) {
        *refusal = LOCAL_PROTECTION;
        return REFUSED;
    }
    bool allowed = peer->endpoint->access & IBV_ACCESS_REMOTE_READ;
    int remotes = allowed ? vtb_memory_resolve(vtb_rules_of(qp->port), qp->port->peer_device, &access, remote) : -1;
    if (remotes < 0) {
        *refusal = (struct refusal){IBV_WC_REM_ACCESS_ERR, IBV_WC_SUCCESS};
        return REFUSED;
    }
    add(batch, send->length, local, locals, remote, remotes);
    return ADDED;
}

/* Collects requests of one kind from the head of the queue, as far as they can all be carried out. */
static enum verdict collect(struct vtb_qp *qp, const struct peer *peer, struct batch *batch, struct refusal *refusal) {
    uint64_t done = qp->send_done;
    uint64_t posted = atomic_load_explicit(&qp->send_posted, memory_order_acquire);
    uint32_t opcode = send_at(qp, done)->opcode;
    enum verdict verdict = ADDED;
    *batch = (struct batch){.count = 0};
    while (verdict == ADDED && batch->count < BATCH && done + batch->count < posted && batch->bytes < BATCH_BYTES) {
        const struct vtb_send *send = send_at(qp, done + batch->count);
        if (send->opcode != opcode) {
            verdict = STOP;
        } else if (opcode == IBV_WR_RDMA_READ) {
            verdict = add_read(qp, peer, send, batch, refusal);
        } else {
            verdict = add_send(qp, peer, send, batch->count, batch, refusal);
        }
    }
    return verdict;
}

/* Publishes the first `count` requests of the batch as carried out. */
static void publish(struct vtb_qp *qp, const struct peer *peer, const struct batch *batch, uint32_t count) {
    bool receives = send_at(qp, qp->send_done)->opcode == IBV_WR_SEND;
    struct vtb_endpoint *endpoint = peer->endpoint;
    uint64_t frames = 0;
    for (uint32_t i = 0; i < count; i++) {
        frames += vtb_frames(batch->lengths[i]);
        if (receives) {
            struct vtb_receive *receive = &endpoint->ring[(endpoint->completed + i) % VTB_RING];
            receive->byte_len = batch->lengths[i];
            receive->status = IBV_WC_SUCCESS;
        }
    }
    if (receives) {
        atomic_store_explicit(&endpoint->completed, endpoint->completed + count, memory_order_release);
    }
    for (uint32_t i = 0; i < count; i++) {
        complete(qp, IBV_WC_SUCCESS);
    }
    atomic_fetch_add_explicit(&qp->port->out->frames, frames, memory_order_relaxed);
}

static void pace(const struct vtb_port *port, size_t bytes) {
    const struct vtb_topology *topology = &port->fabric->topology;
    double gbps = topology->cables[topology->ports[port->index].cable].gbps;
    uint64_t now = vtb_now();
    uint64_t free_at = port->out->free_at;
    port->out->free_at = (free_at > now ? free_at : now) + (uint64_t) ((double) bytes * 8 / gbps);
    atomic_fetch_add_explicit(&port->out->bytes, bytes, memory_order_relaxed);
}

/* After a fault in the copy: what arrived whole is carried out, the next request failed. */
static struct refusal blame(struct vtb_qp *qp, const struct peer *peer, const struct batch *batch, size_t moved) {
    uint32_t whole = 0;
    while (moved >= batch->lengths[whole]) {
        moved -= batch->lengths[whole++];
    }
    publish(qp, peer, batch, whole);
    const struct vtb_send *send = send_at(qp, qp->send_done);
    if (!vtb_wire_mapped(send->address, send->length)) {
        return LOCAL_PROTECTION;
    }
    return send->opcode == IBV_WR_SEND ? receive_refusal(qp) : (struct refusal){IBV_WC_REM_OP_ERR, IBV_WC_SUCCESS};
}

static enum vtb_wire_result copy(struct vtb_qp *qp, const struct peer *peer, const struct batch *batch, size_t *moved) {
    struct vtb_transfer transfer = {
        .local = batch->local,
        .remote = batch->remote,
        .local_count = batch->local_count,
        .remote_count = batch->remote_count,
        .bytes = batch->bytes,
    };
    bool read = send_at(qp, qp->send_done)->opcode == IBV_WR_RDMA_READ;
    return (read ? vtb_wire_read : vtb_wire_write)(qp->port, peer->user, &transfer, moved);
}

enum outcome { MOVED, IDLE_CREDIT, IDLE_PEER, FAILED };

/* One batch, start to end, in the active section. */
static enum outcome move_batch(struct vtb_qp *qp, uint32_t *status) {
    struct peer peer;
    struct batch batch;
    struct refusal refusal;
    size_t moved;
    if (!find_peer(qp, &peer)) {
        return IDLE_PEER;
    }
    enum verdict verdict = collect(qp, &peer, &batch, &refusal);
    if (batch.count == 0 && verdict == NO_CREDIT) {
        return IDLE_CREDIT;
    }
    if (batch.count > 0) {
        switch (copy(qp, &peer, &batch, &moved)) {
            case VTB_WIRE_DONE:
                publish(qp, &peer, &batch, batch.count);
                pace(qp->port, batch.bytes);
                return MOVED;
            case VTB_WIRE_PEER_GONE:
                return IDLE_PEER;
            case VTB_WIRE_FAULT:
                refusal = blame(qp, &peer, &batch, moved);
                break;
        }
    }
    refuse(qp, &peer, refusal);
    *status = refusal.status;
    return refusal.status == IBV_WC_SUCCESS ? MOVED : FAILED;
}

/* RC gives up on a silent peer after its retries; UC waits for ever. */
static uint64_t patience(const struct vtb_qp *qp, enum outcome outcome, uint32_t *status) {
    const struct ibv_qp_attr *attr = &qp->attributes;
    if (qp->ibv.qp_type != IBV_QPT_RC) {
        return UINT64_MAX;
    }
    if (outcome == IDLE_CREDIT) {
        *status = IBV_WC_RNR_RETRY_EXC_ERR;
        return attr->rnr_retry == 7 ? UINT64_MAX : (attr->rnr_retry + 1u) * RNR_NANOS;
    }
    *status = IBV_WC_RETRY_EXC_ERR;
    return attr->timeout == 0 ? UINT64_MAX : (UINT64_C(4096) << (attr->timeout & 31)) * (attr->retry_cnt + 1u);
}

static uint64_t wait_or_give_up(struct vtb_qp *qp, enum outcome outcome) {
    uint32_t status = IBV_WC_SUCCESS;
    uint64_t limit = patience(qp, outcome, &status);
    if (limit == UINT64_MAX) {
        return UNTIL_RUNG;
    }
    uint64_t now = vtb_now();
    qp->waiting_since = qp->waiting_since ? qp->waiting_since : now;
    if (now - qp->waiting_since < limit) {
        return RETRY_LOOK;
    }
    complete(qp, status);
    enter_error(qp);
    return 0;
}

static uint64_t until_wire_free(const struct vtb_port *port) {
    uint64_t now = vtb_now();
    uint64_t free_at = port->out->free_at;
    return free_at > now + PACE_SLACK ? free_at - now : 0;
}

/* Asks the receiver for a ring when it posts, then looks again in case it just did. */
static bool ask_for_credit(struct vtb_qp *qp) {
    if (qp->endpoint->wants_credit) {
        return false;
    }
    atomic_store(&qp->endpoint->wants_credit, 1);
    atomic_thread_fence(memory_order_seq_cst);
    return true;
}

/* Under Apple's rules a SEND of nothing vanishes; with credits switched off, one that meets no receive does. */
static bool vanishes(const struct vtb_qp *qp) {
    return qp->framed && qp->sends[qp->send_done % VTB_RING].length == 0;
}

uint64_t vtb_deliver(struct vtb_qp *qp) {
    uint32_t state = qp->endpoint->state;
    uint32_t status;
    if (state == IBV_QPS_ERR) {
        return flush(qp);
    }
    if (state != IBV_QPS_RTS || qp->send_done == atomic_load(&qp->send_posted) || !vtb_port_up(qp->port)) {
        return UNTIL_RUNG;
    }
    if (vanishes(qp)) {
        complete(qp, IBV_WC_SUCCESS);
        return 0;
    }
    uint64_t pause = until_wire_free(qp->port);
    if (pause) {
        return pause;
    }
    vtb_engine_enter(qp->port);
    enum outcome outcome = move_batch(qp, &status);
    vtb_engine_leave(qp->port);
    if (outcome == MOVED || outcome == FAILED) {
        qp->waiting_since = 0;
        qp->endpoint->wants_credit = 0;
        if (outcome == FAILED) {
            enter_error(qp);
        }
        return 0;
    }
    if (!vtb_rules_of(qp->port)->credits && qp->ibv.qp_type == IBV_QPT_UC) {
        complete(qp, IBV_WC_SUCCESS);
        return 0;
    }
    return ask_for_credit(qp) ? 0 : wait_or_give_up(qp, outcome);
}
