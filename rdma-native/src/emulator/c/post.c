/* Layer 7, verbs. Posting work: checks, a place in the ring, a ring of the bell. */
#include "doorbell.h"
#include "faults.h"
#include "verbs_ops.h"

#include <errno.h>
#include <string.h>

/* Apple's calls return the negated number and do not say where they stopped. */
static int refuse(const struct vtb_qp *qp, int error) {
    return vtb_rules_of(qp->port)->apple ? -error : error;
}

static bool can_send(const struct vtb_qp *qp) {
    uint32_t state = qp->endpoint->state;
    return state == IBV_QPS_RTS || state == IBV_QPS_ERR;
}

static bool can_receive(const struct vtb_qp *qp) {
    uint32_t state = qp->endpoint->state;
    return state != IBV_QPS_RESET && (state != IBV_QPS_INIT || vtb_rules_of(qp->port)->receive_at_init);
}

enum room { ROOM, ROOM_NONE_REFUSE, ROOM_NONE_SWALLOW };

static enum room room(const struct vtb_qp *qp, uint64_t used, uint32_t units, uint32_t depth) {
    if (used + units <= depth) {
        return ROOM;
    }
    return vtb_rules_of(qp->port)->overpost == VTB_OVERPOST_REFUSE ? ROOM_NONE_REFUSE : ROOM_NONE_SWALLOW;
}

static bool bad_list(const struct vtb_qp *qp, const struct ibv_sge *list, int count) {
    return count < 0 || count > 1 || (count == 1 && qp->framed && list->length > VTB_MAX_DEPTH * VTB_FRAME);
}

static bool opcode_of(const struct vtb_qp *qp, const struct ibv_send_wr *wr, uint32_t *opcode) {
    *opcode = (uint32_t) wr->opcode;
    if (qp->framed && wr->opcode == IBV_WR_RDMA_WRITE) {
        *opcode = IBV_WR_SEND; /* lands in the peer's next posted receive */
    }
    return *opcode == IBV_WR_SEND || (*opcode == IBV_WR_RDMA_READ && qp->ibv.qp_type == IBV_QPT_RC);
}

static int check_send(const struct vtb_qp *qp, const struct ibv_send_wr *wr, struct vtb_send *out) {
    uint32_t opcode;
    bool inlined = wr->send_flags & IBV_SEND_INLINE;
    if (!can_send(qp) || bad_list(qp, wr->sg_list, wr->num_sge) || !opcode_of(qp, wr, &opcode)) {
        return EINVAL;
    }
    *out = (struct vtb_send){
        .wr_id = wr->wr_id,
        .remote_address = wr->rdma.remote_addr,
        .rkey = wr->rdma.rkey,
        .opcode = opcode,
        .signaled = qp->signal_all || (wr->send_flags & IBV_SEND_SIGNALED),
        .inlined = inlined,
    };
    if (wr->num_sge) {
        out->address = wr->sg_list->addr;
        out->length = wr->sg_list->length;
        out->lkey = wr->sg_list->lkey;
    }
    return inlined && (out->length > qp->granted.max_inline_data || opcode != IBV_WR_SEND) ? EINVAL : 0;
}

static int post_one_send(struct vtb_qp *qp, const struct ibv_send_wr *wr) {
    struct vtb_send send;
    int error = check_send(qp, wr, &send);
    if (error) {
        return error;
    }
    uint32_t units = vtb_units(qp, send.length);
    uint64_t used = qp->send_units - atomic_load_explicit(&qp->send_units_polled, memory_order_acquire);
    switch (room(qp, used, units, qp->granted.max_send_wr)) {
        case ROOM_NONE_REFUSE:
            return ENOMEM;
        case ROOM_NONE_SWALLOW:
            return 0;
        case ROOM:
            break;
    }
    uint64_t place = qp->send_posted % VTB_RING;
    if (send.inlined) {
        uint8_t *area = qp->inline_area + place * VTB_INLINE_BYTES;
        memcpy(area, (const void *) (uintptr_t) send.address, send.length);
        send.address = (uintptr_t) area;
    }
    qp->sends[place] = send;
    qp->send_units += units;
    atomic_store_explicit(&qp->send_posted, qp->send_posted + 1, memory_order_release);
    return 0;
}

int vtb_post_send(struct ibv_qp *ibv, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
    struct vtb_qp *qp = (struct vtb_qp *) ibv;
    int error = 0;
    vtb_faults_post(qp);
    pthread_mutex_lock(&qp->send_lock);
    for (; wr && !error; wr = error ? wr : wr->next) {
        error = post_one_send(qp, wr);
    }
    pthread_mutex_unlock(&qp->send_lock);
    vtb_doorbell_ring(qp->port->user);
    if (error && !vtb_rules_of(qp->port)->apple) {
        *bad = wr;
    }
    return error ? refuse(qp, error) : 0;
}

static int post_one_receive(struct vtb_qp *qp, const struct ibv_recv_wr *wr) {
    struct vtb_endpoint *endpoint = qp->endpoint;
    if (!can_receive(qp) || bad_list(qp, wr->sg_list, wr->num_sge)) {
        return EINVAL;
    }
    uint32_t length = wr->num_sge ? wr->sg_list->length : 0;
    uint32_t units = vtb_units(qp, length);
    uint64_t used = qp->receive_units - atomic_load_explicit(&qp->receive_units_polled, memory_order_acquire);
    switch (room(qp, used, units, qp->granted.max_recv_wr)) {
        case ROOM_NONE_REFUSE:
            return ENOMEM;
        case ROOM_NONE_SWALLOW:
            return 0;
        case ROOM:
            break;
    }
    uint64_t posted = atomic_load_explicit(&endpoint->posted, memory_order_relaxed);
    endpoint->ring[posted % VTB_RING] = (struct vtb_receive){
        .wr_id = wr->wr_id,
        .address = wr->num_sge ? wr->sg_list->addr : 0,
        .length = length,
        .lkey = wr->num_sge ? wr->sg_list->lkey : 0,
    };
    qp->receive_units += units;
    atomic_store_explicit(&endpoint->posted_frames, endpoint->posted_frames + vtb_frames(length), memory_order_relaxed);
    atomic_store_explicit(&endpoint->posted, posted + 1, memory_order_release);
    return 0;
}

/* Wakes the sender at the other end if its first SEND waits for a receive. */
static void give_credit(struct vtb_qp *qp) {
    uint32_t number = qp->endpoint->peer;
    if (number == 0 || qp->port->peer < 0) {
        return;
    }
    struct vtb_endpoint *peer = &qp->port->peer_device->endpoints[number % VTB_QPS];
    atomic_thread_fence(memory_order_seq_cst);
    if (peer->number == number && atomic_load_explicit(&peer->wants_credit, memory_order_relaxed)) {
        uint32_t user = vtb_owner_user(peer->owner);
        if (user < VTB_USERS) {
            vtb_doorbell_ring(&qp->port->peer_device->users[user]);
        }
    }
}

int vtb_post_recv(struct ibv_qp *ibv, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
    struct vtb_qp *qp = (struct vtb_qp *) ibv;
    int error = 0;
    vtb_faults_post(qp);
    pthread_mutex_lock(&qp->receive_lock);
    for (; wr && !error; wr = error ? wr : wr->next) {
        error = post_one_receive(qp, wr);
    }
    pthread_mutex_unlock(&qp->receive_lock);
    give_credit(qp);
    if (error && !vtb_rules_of(qp->port)->apple) {
        *bad = wr;
    }
    return error ? refuse(qp, error) : 0;
}
