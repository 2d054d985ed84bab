#include "completion.h"

#include "faults.h"
#include "futex.h"
#include "verbs_ops.h"

#include <errno.h>
#include <stdlib.h>

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context, void *channel, int vector) {
    struct vtb_port *port = vtb_port_of(context);
    vtb_faults_control_call(port, VTB_CALL_CREATE_CQ);
    if (cqe < 1 || cqe > VTB_MAX_DEPTH + 1 || channel || vector) {
        errno = EINVAL;
        return NULL;
    }
    struct vtb_cq *cq = calloc(1, sizeof *cq);
    if (!cq) {
        return NULL;
    }
    int slot = vtb_fabric_claim(port->fabric, port->index, port->device->cqs, sizeof(vtb_owner),
                                vtb_rules_of(port)->completion_queues, port->owner);
    if (slot < 0) {
        free(cq);
        errno = ENOMEM;
        return NULL;
    }
    cq->ibv = (struct ibv_cq){.context = context, .cq_context = cq_context, .handle = (uint32_t) slot, .cqe = cqe};
    cq->slot = (uint32_t) slot;
    pthread_mutex_init(&cq->lock, NULL);
    return &cq->ibv;
}

int ibv_destroy_cq(struct ibv_cq *ibv) {
    struct vtb_cq *cq = (struct vtb_cq *) ibv;
    vtb_faults_control_call(vtb_port_of(ibv->context), VTB_CALL_DESTROY_CQ);
    if (cq->count) {
        return EBUSY;
    }
    vtb_port_of(ibv->context)->device->cqs[cq->slot] = 0;
    pthread_mutex_destroy(&cq->lock);
    free(cq);
    return 0;
}

static void attach(struct vtb_cq *cq, struct vtb_qp *qp) {
    pthread_mutex_lock(&cq->lock);
    cq->queue_pairs[cq->count++] = qp;
    pthread_mutex_unlock(&cq->lock);
}

static void detach(struct vtb_cq *cq, struct vtb_qp *qp) {
    pthread_mutex_lock(&cq->lock);
    for (uint32_t i = 0; i < cq->count; i++) {
        if (cq->queue_pairs[i] == qp) {
            cq->queue_pairs[i] = cq->queue_pairs[--cq->count];
        }
    }
    pthread_mutex_unlock(&cq->lock);
}

void vtb_cq_attach(struct vtb_qp *qp) {
    attach((struct vtb_cq *) qp->ibv.send_cq, qp);
    if (qp->ibv.recv_cq != qp->ibv.send_cq) {
        attach((struct vtb_cq *) qp->ibv.recv_cq, qp);
    }
}

void vtb_cq_detach(struct vtb_qp *qp) {
    detach((struct vtb_cq *) qp->ibv.send_cq, qp);
    if (qp->ibv.recv_cq != qp->ibv.send_cq) {
        detach((struct vtb_cq *) qp->ibv.recv_cq, qp);
    }
}

void vtb_cq_forget(struct vtb_qp *qp) {
    struct vtb_cq *send_cq = (struct vtb_cq *) qp->ibv.send_cq;
    struct vtb_cq *recv_cq = (struct vtb_cq *) qp->ibv.recv_cq;
    pthread_mutex_lock(&send_cq->lock);
    atomic_store(&qp->send_done, qp->send_posted);
    qp->send_polled = qp->send_posted;
    atomic_store(&qp->send_units_polled, qp->send_units);
    pthread_mutex_unlock(&send_cq->lock);
    pthread_mutex_lock(&recv_cq->lock);
    atomic_store(&qp->endpoint->completed, qp->endpoint->posted);
    atomic_store(&qp->endpoint->flushed, 0);
    qp->receive_polled = qp->endpoint->posted;
    atomic_store(&qp->receive_units_polled, qp->receive_units);
    pthread_mutex_unlock(&recv_cq->lock);
}

static bool ready(uint64_t ready_at) {
    return ready_at == 0 || ready_at <= vtb_now();
}

static int poll_sends(struct vtb_qp *qp, int entries, struct ibv_wc *wc) {
    int count = 0;
    uint64_t done = atomic_load_explicit(&qp->send_done, memory_order_acquire);
    while (count < entries && qp->send_polled < done) {
        const struct vtb_send *send = &qp->sends[qp->send_polled % VTB_RING];
        if (!ready(send->ready_at)) {
            break;
        }
        if (send->signaled || send->status != IBV_WC_SUCCESS) {
            wc[count++] = (struct ibv_wc){
                .wr_id = send->wr_id,
                .status = (int) send->status,
                .opcode = send->opcode == IBV_WR_RDMA_READ ? IBV_WC_RDMA_READ : IBV_WC_SEND,
                .byte_len = send->length,
                .qp_num = qp->ibv.qp_num,
            };
        }
        qp->send_polled++;
        atomic_fetch_add_explicit(&qp->send_units_polled, vtb_units(qp, send->length), memory_order_release);
    }
    return count;
}

static int poll_receives(struct vtb_qp *qp, int entries, struct ibv_wc *wc) {
    struct vtb_endpoint *endpoint = qp->endpoint;
    int count = 0;
    bool flushed = atomic_load_explicit(&endpoint->flushed, memory_order_acquire);
    uint64_t completed = atomic_load_explicit(&endpoint->completed, memory_order_acquire);
    uint64_t end = flushed ? atomic_load_explicit(&endpoint->posted, memory_order_acquire) : completed;
    while (count < entries && qp->receive_polled < end) {
        const struct vtb_receive *receive = &endpoint->ring[qp->receive_polled % VTB_RING];
        bool arrived = qp->receive_polled < completed;
        if (arrived && !ready(receive->ready_at)) {
            break;
        }
        wc[count++] = (struct ibv_wc){
            .wr_id = receive->wr_id,
            .status = arrived ? (int) receive->status : IBV_WC_WR_FLUSH_ERR,
            .opcode = IBV_WC_RECV,
            .byte_len = arrived ? receive->byte_len : 0,
            .qp_num = qp->ibv.qp_num,
            .src_qp = qp->attributes.dest_qp_num,
        };
        qp->receive_polled++;
        atomic_fetch_add_explicit(&qp->receive_units_polled, vtb_units(qp, receive->length), memory_order_release);
    }
    return count;
}

int vtb_poll_cq(struct ibv_cq *ibv, int entries, struct ibv_wc *wc) {
    struct vtb_cq *cq = (struct vtb_cq *) ibv;
    int count = 0;
    pthread_mutex_lock(&cq->lock);
    for (uint32_t i = 0; i < cq->count && count < entries; i++) {
        struct vtb_qp *qp = cq->queue_pairs[(cq->next + i) % cq->count];
        if (qp->ibv.recv_cq == ibv) {
            count += poll_receives(qp, entries - count, wc + count);
        }
        if (qp->ibv.send_cq == ibv) {
            count += poll_sends(qp, entries - count, wc + count);
        }
    }
    cq->next++;
    pthread_mutex_unlock(&cq->lock);
    return count;
}

int vtb_req_notify_cq(struct ibv_cq *cq, int solicited_only) {
    (void) cq;
    (void) solicited_only;
    return ENOTSUP;
}
