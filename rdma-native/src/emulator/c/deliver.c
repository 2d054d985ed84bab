#include "deliver.h"

#include "batch.h"
#include "damage.h"
#include "doorbell.h"
#include "faults.h"
#include "futex.h"
#include "pace.h"
#include "port.h"
#include "stream.h"
#include "wire.h"

static const uint64_t UNTIL_RUNG = 1000000000u;
static const uint64_t RETRY_LOOK = 1000000;
static const uint64_t RNR_NANOS = 1000000;

enum outcome { MOVED, IDLE_CREDIT, IDLE_PEER, FAILED };

static void complete(struct vtb_qp *qp, uint32_t status) {
    uint64_t done = qp->send_done;
    vtb_send_at(qp, done)->status = status;
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

static void fail_peer(const struct vtb_qp *qp, const struct vtb_peer *peer, uint32_t status) {
    struct vtb_endpoint *endpoint = peer->endpoint;
    uint64_t completed = endpoint->completed;
    struct vtb_receive *receive = &endpoint->ring[completed % VTB_RING];
    receive->status = status;
    receive->byte_len = 0;
    atomic_store_explicit(&endpoint->completed, completed + 1, memory_order_release);
    atomic_store(&endpoint->state, IBV_QPS_ERR);
    atomic_store(&endpoint->flushed, 1);
    vtb_doorbell_ring(&qp->port->peer_device->users[peer->process.user]);
}

/* Carries the refusal of the first request out; in the active section. */
static enum outcome refuse(struct vtb_qp *qp, const struct vtb_peer *peer, struct vtb_refusal refusal) {
    if (refusal.receive_status != IBV_WC_SUCCESS) {
        fail_peer(qp, peer, refusal.receive_status);
    }
    complete(qp, refusal.status);
    return refusal.status == IBV_WC_SUCCESS ? MOVED : FAILED;
}

static uint64_t bytes_of(const struct vtb_batch *batch, uint32_t count) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        bytes += batch->lengths[i];
    }
    return bytes;
}

/* Gives the first `count` requests of the batch to the wire, and publishes them as carried out. */
static void publish(struct vtb_qp *qp, const struct vtb_peer *peer, const struct vtb_batch *batch, uint32_t count) {
    bool receives = vtb_send_at(qp, qp->send_done)->opcode == IBV_WR_SEND;
    struct vtb_direction *direction = vtb_direction_of(qp, vtb_send_at(qp, qp->send_done));
    struct vtb_endpoint *endpoint = peer->endpoint;
    uint64_t ordinal = atomic_fetch_add_explicit(&direction->messages, count, memory_order_relaxed);
    struct vtb_passage passage = vtb_pace_take(qp, direction, bytes_of(batch, count));
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        bytes += batch->lengths[i];
        uint64_t ready_at = vtb_faults_ready_at(direction, ordinal + i, vtb_pace_arrival(&passage, bytes));
        vtb_send_at(qp, qp->send_done + i)->ready_at = ready_at;
        if (receives) {
            struct vtb_receive *receive = &endpoint->ring[(endpoint->completed + i) % VTB_RING];
            receive->byte_len = batch->lengths[i];
            receive->status = IBV_WC_SUCCESS;
            receive->ready_at = ready_at;
            qp->sent_frames += vtb_frames(batch->lengths[i]);
        }
    }
    atomic_fetch_add_explicit(&direction->bytes, bytes, memory_order_relaxed);
    if (receives) {
        atomic_store_explicit(&endpoint->completed, endpoint->completed + count, memory_order_release);
    }
    for (uint32_t i = 0; i < count; i++) {
        complete(qp, IBV_WC_SUCCESS);
    }
}

/* After a fault in the copy: what arrived whole is carried out, the next request failed. */
static struct vtb_refusal blame(struct vtb_qp *qp, const struct vtb_peer *peer, const struct vtb_batch *batch,
                                size_t moved) {
    uint32_t whole = 0;
    while (moved >= batch->lengths[whole]) {
        moved -= batch->lengths[whole++];
    }
    publish(qp, peer, batch, whole);
    const struct vtb_send *send = vtb_send_at(qp, qp->send_done);
    if (!vtb_wire_mapped(send->address, send->length)) {
        return (struct vtb_refusal){IBV_WC_LOC_PROT_ERR, IBV_WC_SUCCESS};
    }
    return send->opcode == IBV_WR_SEND
        ? vtb_receive_refusal(qp) : (struct vtb_refusal){IBV_WC_REM_OP_ERR, IBV_WC_SUCCESS};
}

static enum outcome carry(struct vtb_qp *qp, const struct vtb_peer *peer, const struct vtb_batch *batch) {
    const struct vtb_send *first = vtb_send_at(qp, qp->send_done);
    struct vtb_direction *direction = vtb_direction_of(qp, first);
    bool read = first->opcode == IBV_WR_RDMA_READ;
    size_t moved;
    struct vtb_transfer transfer = {
        .local = batch->local,
        .remote = batch->remote,
        .local_count = batch->local_count,
        .remote_count = batch->remote_count,
        .bytes = batch->bytes,
    };
    switch ((read ? vtb_wire_read : vtb_wire_write)(qp->port, &peer->process, &transfer, &moved)) {
        case VTB_WIRE_DONE:
            vtb_damage_batch(qp, peer, batch, atomic_fetch_add(&direction->frames, batch->frames));
            vtb_faults_moved(qp->port->cable);
            publish(qp, peer, batch, batch->count);
            return MOVED;
        case VTB_WIRE_FAULT:
            return refuse(qp, peer, blame(qp, peer, batch, moved));
        case VTB_WIRE_PEER_GONE:
            break;
    }
    return IDLE_PEER;
}

static enum outcome carry_framewise(struct vtb_qp *qp, const struct vtb_peer *peer) {
    struct vtb_refusal refusal;
    switch (vtb_stream_send(qp, peer, &refusal)) {
        case VTB_STREAMED:
            complete(qp, IBV_WC_SUCCESS);
            return MOVED;
        case VTB_STREAM_REFUSED:
            return refuse(qp, peer, refusal);
        case VTB_STREAM_NO_CREDIT:
            break;
    }
    return IDLE_CREDIT;
}

static enum outcome drop(struct vtb_qp *qp) {
    struct vtb_send *send = vtb_send_at(qp, qp->send_done);
    struct vtb_passage passage = vtb_pace_take(qp, qp->port->out, send->length);
    uint32_t frames = vtb_frames(send->length);
    send->ready_at = vtb_pace_arrival(&passage, send->length);
    qp->port->out->frames += frames;
    qp->port->out->dropped += frames;
    complete(qp, IBV_WC_SUCCESS);
    return MOVED;
}

/* One batch, start to end, in the active section. */
static enum outcome move(struct vtb_qp *qp) {
    struct vtb_peer peer;
    struct vtb_batch batch;
    struct vtb_refusal refusal;
    if (!vtb_find_peer(qp, &peer)) {
        return IDLE_PEER;
    }
    enum vtb_verdict verdict = vtb_batch_collect(qp, &peer, &batch, &refusal);
    if (batch.count > 0) {
        return carry(qp, &peer, &batch);
    }
    switch (verdict) {
        case VTB_REFUSED:
            return refuse(qp, &peer, refusal);
        case VTB_FRAMEWISE:
            return carry_framewise(qp, &peer);
        case VTB_DROPPED:
            return drop(qp);
        case VTB_NO_CREDIT:
            return IDLE_CREDIT;
        case VTB_ADDED:
        case VTB_STOP:
        case VTB_UNREACHABLE:
            break;
    }
    return IDLE_PEER;
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

/* Asks the receiver for a ring when it posts, then lets the engine look again in case it just did. */
static bool ask_for_credit(struct vtb_qp *qp) {
    if (qp->endpoint->wants_credit) {
        return false;
    }
    atomic_store(&qp->endpoint->wants_credit, 1);
    atomic_thread_fence(memory_order_seq_cst);
    return true;
}

/* A SEND of nothing, under Apple's rules. */
static bool vanishes(const struct vtb_qp *qp, const struct vtb_send *send) {
    return qp->framed && send->length == 0;
}

static bool has_work(const struct vtb_qp *qp) {
    return qp->endpoint->state == IBV_QPS_RTS
        && qp->send_done < atomic_load_explicit(&qp->send_posted, memory_order_acquire);
}

static bool cable_carries(const struct vtb_qp *qp) {
    return vtb_port_carries(qp->port) && qp->endpoint->epoch == qp->port->cable->epoch;
}

static uint64_t idle(struct vtb_qp *qp, enum outcome outcome) {
    bool without_credits = qp->ibv.qp_type == IBV_QPT_UC && !vtb_rules_of(qp->port)->credits;
    if (without_credits) {
        drop(qp);
        return 0;
    }
    return ask_for_credit(qp) ? 0 : wait_or_give_up(qp, outcome);
}

uint64_t vtb_deliver(struct vtb_qp *qp) {
    if (qp->endpoint->state == IBV_QPS_ERR) {
        return flush(qp);
    }
    if (!has_work(qp)) {
        qp->waits_for_wire = false;
        return UNTIL_RUNG;
    }
    if (!cable_carries(qp)) {
        return wait_or_give_up(qp, IDLE_PEER);
    }
    const struct vtb_send *first = vtb_send_at(qp, qp->send_done);
    if (vanishes(qp, first)) {
        complete(qp, IBV_WC_SUCCESS);
        return 0;
    }
    uint64_t pause = vtb_pace_pause(qp->port, vtb_direction_of(qp, first));
    if (pause) {
        qp->waits_for_wire = true;
        return pause;
    }
    vtb_active_enter(qp->port->user);
    enum outcome outcome = move(qp);
    vtb_active_leave(qp->port->user);
    if (outcome == IDLE_CREDIT || outcome == IDLE_PEER) {
        qp->waits_for_wire = false;
        return idle(qp, outcome);
    }
    qp->waiting_since = 0;
    qp->endpoint->wants_credit = 0;
    if (outcome == FAILED) {
        enter_error(qp);
    }
    return 0;
}
