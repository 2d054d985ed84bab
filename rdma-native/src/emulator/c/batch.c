#include "batch.h"

#include "faults.h"
#include "port.h"
#include "region.h"

#include <string.h>

static const struct vtb_refusal LOCAL_PROTECTION = {IBV_WC_LOC_PROT_ERR, IBV_WC_SUCCESS};

static bool reliable(const struct vtb_qp *qp) {
    return qp->ibv.qp_type == IBV_QPT_RC;
}

struct vtb_refusal vtb_length_refusal(const struct vtb_qp *qp) {
    return (struct vtb_refusal){reliable(qp) ? IBV_WC_REM_INV_REQ_ERR : IBV_WC_SUCCESS, IBV_WC_LOC_LEN_ERR};
}

struct vtb_refusal vtb_receive_refusal(const struct vtb_qp *qp) {
    return (struct vtb_refusal){reliable(qp) ? IBV_WC_REM_OP_ERR : IBV_WC_SUCCESS, IBV_WC_LOC_PROT_ERR};
}

bool vtb_find_peer(const struct vtb_qp *qp, struct vtb_peer *peer) {
    uint32_t number = qp->attributes.dest_qp_num;
    struct vtb_endpoint *endpoint = &qp->port->peer_device->endpoints[number % VTB_QPS];
    uint32_t state = atomic_load(&endpoint->state);
    uint64_t owner = endpoint->owner;
    uint32_t user = vtb_owner_user(owner);
    if (user >= VTB_USERS) {
        return false;
    }
    /* The process number before the generation: a successor in the slot sets them in the opposite order. */
    const struct vtb_user *slot = &qp->port->peer_device->users[user];
    peer->endpoint = endpoint;
    peer->process = (struct vtb_process){user, atomic_load(&slot->pid)};
    return atomic_load(&endpoint->number) == number
        && endpoint->peer == qp->ibv.qp_num
        && endpoint->epoch == qp->port->cable->epoch
        && (state == IBV_QPS_RTR || state == IBV_QPS_RTS)
        && atomic_load(&slot->generation) == owner >> 8
        && vtb_port_peer_lives(qp->port, user);
}

int vtb_resolve_local(const struct vtb_qp *qp, const struct vtb_send *send, uint32_t rights, struct iovec pieces[2]) {
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
    return vtb_region_resolve(vtb_rules_of(qp->port), qp->port->device, &access, pieces);
}

int vtb_resolve_receive(const struct vtb_qp *qp, const struct vtb_peer *peer, const struct vtb_receive *receive,
                        struct iovec pieces[2]) {
    struct vtb_access access = {
        .key = receive->lkey,
        .pd = peer->endpoint->pd,
        .rights = IBV_ACCESS_LOCAL_WRITE,
        .address = receive->address,
        .length = receive->length,
    };
    if (receive->length == 0) {
        return 0;
    }
    return vtb_region_resolve(vtb_rules_of(qp->port), qp->port->peer_device, &access, pieces);
}

static int resolve_remote(const struct vtb_qp *qp, const struct vtb_peer *peer, const struct vtb_send *send,
                          struct iovec pieces[2]) {
    struct vtb_access access = {
        .key = send->rkey,
        .pd = peer->endpoint->pd,
        .rights = IBV_ACCESS_REMOTE_READ,
        .address = send->remote_address,
        .length = send->length,
    };
    return vtb_region_resolve(vtb_rules_of(qp->port), qp->port->peer_device, &access, pieces);
}

struct pieces {
    struct iovec at[2];
    int count;
};

static int append(struct iovec *list, int count, const struct pieces *pieces) {
    memcpy(list + count, pieces->at, (size_t) pieces->count * sizeof *pieces->at);
    return count + pieces->count;
}

static void add(struct vtb_batch *batch, uint32_t length, const struct pieces *local, const struct pieces *remote,
                const struct pieces *target) {
    batch->targets[batch->count] = target->count ? target->at[0] : (struct iovec){NULL, 0};
    batch->local_count = append(batch->local, batch->local_count, local);
    batch->remote_count = append(batch->remote, batch->remote_count, remote);
    batch->lengths[batch->count++] = length;
    batch->frames += vtb_frames(length);
    batch->bytes += length;
}

static bool fits(const struct vtb_qp *qp, const struct vtb_send *send, const struct vtb_receive *receive) {
    bool same_frames = !qp->framed || vtb_frames(send->length) == vtb_frames(receive->length);
    return same_frames && send->length <= receive->length;
}

/* What the wire does to this message, before anybody looks at its memory. */
static enum vtb_verdict wire_verdict(const struct vtb_qp *qp, const struct vtb_send *send,
                                     const struct vtb_batch *batch) {
    const struct vtb_direction *direction = vtb_direction_of(qp, send);
    if (reliable(qp)) {
        /* Lost frames are sent again; only a direction that brings nothing at all shows. */
        return qp->port->out->mute || qp->port->in->mute ? VTB_UNREACHABLE : VTB_ADDED;
    }
    bool lost = qp->stream.unmarked
        || direction->mute
        || vtb_fault_hits_any(&direction->lose, direction->frames + batch->frames, vtb_frames(send->length));
    if (!lost) {
        return VTB_ADDED;
    }
    return qp->framed ? VTB_FRAMEWISE : VTB_DROPPED;
}

static bool due_error(const struct vtb_qp *qp, const struct vtb_send *send, struct vtb_refusal *refusal) {
    struct vtb_direction *direction = vtb_direction_of(qp, send);
    if (!vtb_faults_take_error(direction)) {
        return false;
    }
    bool at_receiver = direction->error_at_receiver && send->opcode == IBV_WR_SEND;
    uint32_t status = direction->error_status;
    *refusal = (struct vtb_refusal){status, IBV_WC_SUCCESS};
    if (at_receiver) {
        *refusal = (struct vtb_refusal){vtb_receive_refusal(qp).status, status};
    }
    return true;
}

static enum vtb_verdict add_send(struct vtb_qp *qp, const struct vtb_peer *peer, const struct vtb_send *send,
                                 struct vtb_batch *batch, struct vtb_refusal *refusal) {
    struct vtb_endpoint *endpoint = peer->endpoint;
    uint64_t index = endpoint->completed + batch->count;
    struct pieces local;
    struct pieces remote;
    if (index >= atomic_load_explicit(&endpoint->posted, memory_order_acquire)) {
        return VTB_NO_CREDIT;
    }
    local.count = vtb_resolve_local(qp, send, 0, local.at);
    if (local.count < 0) {
        *refusal = LOCAL_PROTECTION;
        return VTB_REFUSED;
    }
    struct vtb_receive part = endpoint->ring[index % VTB_RING];
    if (!fits(qp, send, &part)) {
        *refusal = vtb_length_refusal(qp);
        return VTB_REFUSED;
    }
    part.length = send->length;
    remote.count = vtb_resolve_receive(qp, peer, &part, remote.at);
    if (remote.count < 0) {
        *refusal = vtb_receive_refusal(qp);
        return VTB_REFUSED;
    }
    add(batch, send->length, &local, &remote, &remote);
    return VTB_ADDED;
}

static enum vtb_verdict add_read(struct vtb_qp *qp, const struct vtb_peer *peer, const struct vtb_send *send,
                                 struct vtb_batch *batch, struct vtb_refusal *refusal) {
    struct pieces local;
    struct pieces remote;
    local.count = vtb_resolve_local(qp, send, IBV_ACCESS_LOCAL_WRITE, local.at);
    if (local.count < 0) {
        *refusal = LOCAL_PROTECTION;
        return VTB_REFUSED;
    }
    if (!(peer->endpoint->access & IBV_ACCESS_REMOTE_READ)) {
        *refusal = (struct vtb_refusal){IBV_WC_REM_INV_REQ_ERR, IBV_WC_SUCCESS};
        return VTB_REFUSED;
    }
    remote.count = resolve_remote(qp, peer, send, remote.at);
    if (remote.count < 0) {
        *refusal = (struct vtb_refusal){IBV_WC_REM_ACCESS_ERR, IBV_WC_SUCCESS};
        return VTB_REFUSED;
    }
    add(batch, send->length, &local, &remote, &local);
    return VTB_ADDED;
}

static enum vtb_verdict add_one(struct vtb_qp *qp, const struct vtb_peer *peer, const struct vtb_send *send,
                                struct vtb_batch *batch, struct vtb_refusal *refusal) {
    enum vtb_verdict verdict = wire_verdict(qp, send, batch);
    if (verdict != VTB_ADDED) {
        return verdict;
    }
    verdict = send->opcode == IBV_WR_RDMA_READ
        ? add_read(qp, peer, send, batch, refusal) : add_send(qp, peer, send, batch, refusal);
    bool first = verdict == VTB_ADDED && batch->count == 1;
    if (first && due_error(qp, send, refusal)) {
        *batch = (struct vtb_batch){.count = 0};
        return VTB_REFUSED;
    }
    return verdict;
}

enum vtb_verdict vtb_batch_collect(struct vtb_qp *qp, const struct vtb_peer *peer, struct vtb_batch *batch,
                                   struct vtb_refusal *refusal) {
    uint64_t done = qp->send_done;
    uint64_t posted = atomic_load_explicit(&qp->send_posted, memory_order_acquire);
    uint32_t opcode = vtb_send_at(qp, done)->opcode;
    enum vtb_verdict verdict = VTB_ADDED;
    batch->count = 0;
    batch->local_count = 0;
    batch->remote_count = 0;
    batch->frames = 0;
    batch->bytes = 0;
    while (verdict == VTB_ADDED && batch->count < VTB_BATCH && batch->bytes < VTB_BATCH_BYTES
            && done + batch->count < posted) {
        const struct vtb_send *send = vtb_send_at(qp, done + batch->count);
        bool vanishing = qp->framed && send->length == 0;
        verdict = send->opcode != opcode || vanishing ? VTB_STOP : add_one(qp, peer, send, batch, refusal);
    }
    return verdict;
}
