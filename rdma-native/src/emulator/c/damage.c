#include "damage.h"

#include "faults.h"
#include "wire.h"

void vtb_damage_remote(struct vtb_qp *qp, const struct vtb_peer *peer, const struct iovec *frame, uint64_t ordinal) {
    struct vtb_direction *direction = qp->port->out;
    if (frame->iov_len == 0 || !vtb_fault_hits(&direction->corrupt, ordinal)) {
        return;
    }
    uint64_t draw = vtb_fault_draw(&direction->corrupt, ordinal) >> 8;
    uint8_t byte;
    size_t moved;
    struct iovec local = {&byte, 1};
    struct iovec remote = {(uint8_t *) frame->iov_base + draw / 8 % frame->iov_len, 1};
    struct vtb_transfer transfer = {&local, &remote, 1, 1, 1};
    if (vtb_wire_read(qp->port, &peer->process, &transfer, &moved) == VTB_WIRE_DONE) {
        byte ^= (uint8_t) (1u << draw % 8);
        vtb_wire_write(qp->port, &peer->process, &transfer, &moved);
        direction->corrupted++;
    }
}

static void damage_local(struct vtb_qp *qp, const struct iovec *frame, uint64_t ordinal) {
    struct vtb_direction *direction = qp->port->in;
    if (frame->iov_len == 0 || !vtb_fault_hits(&direction->corrupt, ordinal)) {
        return;
    }
    uint64_t draw = vtb_fault_draw(&direction->corrupt, ordinal) >> 8;
    ((uint8_t *) frame->iov_base)[draw / 8 % frame->iov_len] ^= (uint8_t) (1u << draw % 8);
    direction->corrupted++;
}

void vtb_damage_batch(struct vtb_qp *qp, const struct vtb_peer *peer, const struct vtb_batch *batch, uint64_t ordinal) {
    const struct vtb_send *send = vtb_send_at(qp, qp->send_done);
    if (!vtb_fault_hits_any(&vtb_direction_of(qp, send)->corrupt, ordinal, batch->frames)) {
        return;
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct iovec *target = &batch->targets[i];
        for (uint64_t frame = 0; frame < vtb_frames(batch->lengths[i]); frame++, ordinal++) {
            uint64_t offset = frame * VTB_FRAME;
            if (offset >= target->iov_len) {
                continue; /* beyond the 4 GiB trap */
            }
            uint64_t left = target->iov_len - offset;
            struct iovec part = {(uint8_t *) target->iov_base + offset, left < VTB_FRAME ? left : VTB_FRAME};
            if (send->opcode == IBV_WR_RDMA_READ) {
                damage_local(qp, &part, ordinal);
            } else {
                vtb_damage_remote(qp, peer, &part, ordinal);
            }
        }
    }
}
