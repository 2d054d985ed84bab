#include "stream.h"

#include "damage.h"
#include "faults.h"
#include "pace.h"
#include "wire.h"

/* The part of a resolved range that begins at `offset`; false: it is not in one piece. */
static bool part_of(const struct iovec *pieces, int count, uint64_t offset, uint64_t length, struct iovec *part) {
    for (int i = 0; i < count; i++) {
        if (offset + length <= pieces[i].iov_len) {
            *part = (struct iovec){(uint8_t *) pieces[i].iov_base + offset, length};
            return true;
        }
        offset -= offset < pieces[i].iov_len ? offset : pieces[i].iov_len;
    }
    return false;
}

static bool place_frame(struct vtb_qp *qp, const struct vtb_peer *peer, const struct vtb_receive *receive,
                        uint64_t from, uint32_t length, uint64_t ordinal) {
    const struct vtb_send *send = vtb_send_at(qp, qp->send_done);
    struct iovec pieces[2];
    struct iovec local;
    struct iovec remote;
    size_t moved;
    int count = vtb_resolve_local(qp, send, 0, pieces);
    if (!part_of(pieces, count, from, length, &local)) {
        return false;
    }
    count = vtb_resolve_receive(qp, peer, receive, pieces);
    if (!part_of(pieces, count, (uint64_t) qp->stream.filled * VTB_FRAME, length, &remote)) {
        return false;
    }
    struct vtb_transfer transfer = {&local, &remote, 1, 1, length};
    if (vtb_wire_write(qp->port, &peer->process, &transfer, &moved) != VTB_WIRE_DONE) {
        return false;
    }
    vtb_damage_remote(qp, peer, &remote, ordinal);
    return true;
}

static void complete_receive(struct vtb_qp *qp, const struct vtb_peer *peer, struct vtb_receive *receive,
                             uint32_t byte_len) {
    struct vtb_direction *direction = qp->port->out;
    receive->byte_len = byte_len;
    receive->status = IBV_WC_SUCCESS;
    receive->ready_at = vtb_faults_ready_at(direction, direction->messages, qp->stream.arrival);
    atomic_store_explicit(&peer->endpoint->completed, peer->endpoint->completed + 1, memory_order_release);
    qp->stream.filled = 0;
}

static bool lost(const struct vtb_direction *direction, uint64_t ordinal) {
    return direction->mute || vtb_fault_hits(&direction->lose, ordinal);
}

/* A lost frame used up its credit; nobody gives that back. */
static bool credit(const struct vtb_qp *qp, const struct vtb_endpoint *endpoint) {
    return endpoint->completed < atomic_load_explicit(&endpoint->posted, memory_order_acquire)
        && qp->sent_frames < endpoint->posted_frames;
}

/* Lost frames have the wire, too. */
static void give_to_wire(struct vtb_qp *qp, uint32_t length) {
    struct vtb_passage passage = vtb_pace_take(qp, qp->port->out, length);
    qp->stream.arrival = vtb_pace_arrival(&passage, length);
}

/* One frame. False: the receive it falls into cannot take it. */
static bool send_frame(struct vtb_qp *qp, const struct vtb_peer *peer, const struct vtb_send *send) {
    struct vtb_direction *direction = qp->port->out;
    struct vtb_endpoint *endpoint = peer->endpoint;
    struct vtb_receive *receive = &endpoint->ring[endpoint->completed % VTB_RING];
    uint64_t from = (uint64_t) qp->stream.frame * VTB_FRAME;
    uint32_t length = (uint32_t) (send->length - from < VTB_FRAME ? send->length - from : VTB_FRAME);
    uint64_t ordinal = atomic_fetch_add(&direction->frames, 1);
    qp->stream.frame++;
    qp->sent_frames++;
    give_to_wire(qp, length);
    if (lost(direction, ordinal)) {
        direction->dropped++;
        qp->stream.gap = true;
        return true;
    }
    if (!place_frame(qp, peer, receive, from, length, ordinal)) {
        return false;
    }
    direction->bytes += length;
    qp->stream.filled++;
    if (qp->stream.unmarked && qp->stream.filled == vtb_frames(receive->length)) {
        complete_receive(qp, peer, receive, (qp->stream.filled - 1) * VTB_FRAME + length);
    }
    return true;
}

enum vtb_streamed vtb_stream_send(struct vtb_qp *qp, const struct vtb_peer *peer, struct vtb_refusal *refusal) {
    struct vtb_send *send = vtb_send_at(qp, qp->send_done);
    bool marked = qp->port->out->lose_marked;
    qp->stream.unmarked |= !marked;
    while (qp->stream.frame < vtb_frames(send->length)) {
        if (!credit(qp, peer->endpoint)) {
            return VTB_STREAM_NO_CREDIT;
        }
        if (!send_frame(qp, peer, send)) {
            *refusal = vtb_length_refusal(qp);
            return VTB_STREAM_REFUSED;
        }
    }
    bool part_arrived = qp->stream.filled > 0;
    qp->stream.frame = 0;
    send->ready_at = qp->stream.arrival;
    if (marked && qp->stream.gap && part_arrived) {
        qp->stream.gap = false;
        *refusal = vtb_length_refusal(qp);
        return VTB_STREAM_REFUSED;
    }
    qp->stream.gap = false;
    qp->port->out->messages++;
    return VTB_STREAMED;
}
