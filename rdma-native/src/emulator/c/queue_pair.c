/* Layer 7, verbs. Queue pairs: how they are made, their states, and the path to the peer. */
#include "completion.h"
#include "doorbell.h"
#include "engine.h"
#include "faults.h"
#include "gid.h"
#include "port.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t NUMBER_MASK = 0xffffff;
enum { FIRST_GRANT = 1023 };

static int check_create(const struct vtb_rules *rules, const struct ibv_qp_init_attr *attr) {
    bool type_known = attr->qp_type == IBV_QPT_UC || (attr->qp_type == IBV_QPT_RC && rules->reliable);
    if (!type_known) {
        return rules->apple ? DARWIN_EOPNOTSUPP : EOPNOTSUPP;
    }
    bool wrong = !attr->send_cq
        || !attr->recv_cq
        || attr->srq
        || attr->cap.max_send_wr > VTB_MAX_DEPTH
        || attr->cap.max_recv_wr > VTB_MAX_DEPTH
        || attr->cap.max_send_sge > 1
        || attr->cap.max_recv_sge > 1
        || attr->cap.max_inline_data > (rules->apple ? 0 : VTB_INLINE_BYTES);
    return wrong ? EINVAL : 0;
}

/* Seen on Apple: 256 asked, 1023 granted; 4095 asked, 4095 granted. */
static uint32_t grant(const struct vtb_rules *rules, uint32_t asked) {
    uint32_t granted = FIRST_GRANT;
    while (granted < asked) {
        granted = granted * 2 + 1;
    }
    return rules->apple ? granted : asked;
}

static void free_qp(struct vtb_qp *qp) {
    pthread_mutex_destroy(&qp->send_lock);
    pthread_mutex_destroy(&qp->receive_lock);
    free(qp->inline_area);
    free(qp->sends);
    free(qp);
}

static struct vtb_qp *make_qp(struct ibv_pd *pd, const struct ibv_qp_init_attr *attr) {
    struct vtb_port *port = vtb_port_of(pd->context);
    const struct vtb_rules *rules = vtb_rules_of(port);
    struct vtb_qp *qp = calloc(1, sizeof *qp);
    if (!qp) {
        return NULL;
    }
    qp->port = port;
    qp->framed = rules->apple && attr->qp_type == IBV_QPT_UC;
    qp->signal_all = attr->sq_sig_all;
    qp->granted = attr->cap;
    qp->granted.max_send_wr = grant(rules, attr->cap.max_send_wr);
    qp->granted.max_recv_wr = grant(rules, attr->cap.max_recv_wr);
    qp->ibv = (struct ibv_qp){
        .context = pd->context,
        .qp_context = attr->qp_context,
        .pd = pd,
        .send_cq = attr->send_cq,
        .recv_cq = attr->recv_cq,
        .qp_type = attr->qp_type,
    };
    qp->sends = calloc(VTB_RING, sizeof *qp->sends);
    qp->inline_area = attr->cap.max_inline_data ? malloc((size_t) VTB_RING * VTB_INLINE_BYTES) : NULL;
    pthread_mutex_init(&qp->send_lock, NULL);
    pthread_mutex_init(&qp->receive_lock, NULL);
    if (!qp->sends || (attr->cap.max_inline_data && !qp->inline_area)) {
        free_qp(qp);
        return NULL;
    }
    return qp;
}

/* A place left by a dead process may still be looked at by the engine that was connected to it. */
static int take_endpoint(struct vtb_qp *qp) {
    struct vtb_port *port = qp->port;
    uint32_t limit = port->device->queue_pair_limit;
    limit = limit ? limit - 1 : vtb_rules_of(port)->queue_pairs;
    limit = limit < VTB_QPS ? limit : VTB_QPS; /* whatever the shared file says */
    int slot = vtb_fabric_claim(port->fabric, port->index, &port->device->endpoints[0].owner,
                                sizeof(struct vtb_endpoint), limit, port->owner);
    if (slot < 0) {
        return vtb_rules_of(port)->apple ? DARWIN_EBUSY : ENOMEM;
    }
    struct vtb_endpoint *endpoint = &port->device->endpoints[slot];
    atomic_store(&endpoint->state, IBV_QPS_RESET);
    atomic_store(&endpoint->number, 0);
    if (!vtb_port_quiesce(port)) {
        endpoint->owner = 0;
        return EBUSY;
    }
    endpoint->epoch = ((struct vtb_context *) qp->ibv.context)->epoch;
    endpoint->peer = 0;
    endpoint->flushed = 0;
    endpoint->wants_credit = 0;
    endpoint->posted = 0;
    endpoint->posted_frames = 0;
    endpoint->completed = 0;
    endpoint->access = 0;
    endpoint->pd = ((struct vtb_pd *) qp->ibv.pd)->slot;
    endpoint->type = (uint32_t) qp->ibv.qp_type;
    uint32_t generation = atomic_fetch_add(&port->device->generation, 1) + 1;
    uint32_t number = (generation * VTB_QPS & NUMBER_MASK) | (uint32_t) slot;
    number = number < VTB_QPS ? number + VTB_QPS : number; /* 0 and 1 are not for users */
    qp->slot = (uint32_t) slot;
    qp->endpoint = endpoint;
    qp->ibv.handle = (uint32_t) slot;
    qp->ibv.qp_num = number;
    atomic_store(&endpoint->number, number);
    return 0;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr) {
    struct vtb_port *port = vtb_port_of(pd->context);
    const struct vtb_rules *rules = vtb_rules_of(port);
    vtb_faults_control_call(port, VTB_CALL_CREATE_QP);
    int error = rules->apple && !vtb_context_active(pd->context) ? DARWIN_ENXIO : check_create(rules, attr);
    struct vtb_qp *qp = error ? NULL : make_qp(pd, attr);
    if (!qp) {
        errno = error ? error : ENOMEM;
        return NULL;
    }
    error = take_endpoint(qp);
    if (error) {
        free_qp(qp);
        errno = error;
        return NULL;
    }
    vtb_cq_attach(qp);
    pthread_mutex_lock(&port->lock);
    error = vtb_engine_start(port);
    port->queue_pairs[qp->slot] = qp;
    pthread_mutex_unlock(&port->lock);
    if (error) {
        ibv_destroy_qp(&qp->ibv);
        errno = error;
        return NULL;
    }
    if (!rules->apple) {
        attr->cap = qp->granted;
    }
    return &qp->ibv;
}

int ibv_destroy_qp(struct ibv_qp *ibv) {
    struct vtb_qp *qp = (struct vtb_qp *) ibv;
    struct vtb_port *port = qp->port;
    vtb_faults_control_call(port, VTB_CALL_DESTROY_QP);
    atomic_store(&qp->endpoint->state, IBV_QPS_RESET);
    atomic_store(&qp->endpoint->number, 0);
    pthread_mutex_lock(&port->lock);
    port->queue_pairs[qp->slot] = NULL;
    pthread_mutex_unlock(&port->lock);
    if (!vtb_port_quiesce(port)) {
        return DARWIN_EBUSY;
    }
    vtb_cq_detach(qp);
    atomic_store(&qp->endpoint->owner, qp->leaked ? VTB_LEAKED : 0);
    free_qp(qp);
    return 0;
}

static int required_mask(const struct vtb_qp *qp, int from, int to) {
    bool reliable = qp->ibv.qp_type == IBV_QPT_RC;
    if (to == IBV_QPS_INIT && from == IBV_QPS_RESET) {
        return IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
    }
    if (to == IBV_QPS_RTR && from == IBV_QPS_INIT) {
        int mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
        return reliable ? mask | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER : mask;
    }
    if (to == IBV_QPS_RTS && from == IBV_QPS_RTR) {
        int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
        int timers = IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
        return reliable ? mask | timers : mask;
    }
    bool allowed = to == IBV_QPS_RESET || to == IBV_QPS_ERR || (from == to && to != IBV_QPS_RTR);
    return allowed ? IBV_QP_STATE : -1;
}

static bool mapped_ipv4(const union ibv_gid *gid) {
    static const uint8_t prefix[12] = {[10] = 0xff, [11] = 0xff};
    return !memcmp(gid->raw, prefix, sizeof prefix);
}

static bool link_local(const union ibv_gid *gid) {
    return gid->raw[0] == 0xfe && gid->raw[1] == 0x80;
}

/* Whether the peer's port has this GID, of the same family as ours. */
static bool reachable(const struct vtb_port *port, const union ibv_gid *source, const union ibv_gid *destination) {
    union ibv_gid gid;
    if (port->peer < 0 || mapped_ipv4(source) != mapped_ipv4(destination)) {
        return false;
    }
    for (int i = 0; vtb_port_gid(port->fabric, (uint32_t) port->peer, i, &gid); i++) {
        if (!memcmp(&gid, destination, sizeof gid)) {
            return true;
        }
    }
    return false;
}

static bool has_address(const union ibv_gid *gid) {
    return mapped_ipv4(gid) || link_local(gid);
}

static int check_path(const struct vtb_qp *qp, const struct ibv_qp_attr *attr) {
    struct vtb_port *port = qp->port;
    bool apple = vtb_rules_of(port)->apple;
    union ibv_gid source;
    bool known = vtb_port_gid(port->fabric, port->index, attr->ah_attr.sgid_index, &source);
    if (!known && !apple) {
        return ENODATA; /* as Linux says of an entry that is empty */
    }
    bool usable = known
        && attr->ah_attr.is_global
        && attr->ah_attr.port_num == 1
        && has_address(&source)
        && has_address(&attr->ah_attr.dgid);
    if (!usable || attr->path_mtu < 1 || attr->path_mtu > IBV_MTU_4096) {
        return EINVAL;
    }
    if (!reachable(port, &source, &attr->ah_attr.dgid)) {
        return apple ? DARWIN_ETIMEDOUT : ETIMEDOUT;
    }
    uint32_t number = attr->dest_qp_num;
    const struct vtb_endpoint *peer = &port->peer_device->endpoints[number % VTB_QPS];
    bool waiting = peer->number == number && peer->state != IBV_QPS_RESET;
    return apple && !waiting ? DARWIN_ETIMEDOUT : 0;
}

static void merge(struct ibv_qp_attr *kept, const struct ibv_qp_attr *attr, int mask) {
#define VTB_TAKE(bit, field) if (mask & (bit)) kept->field = attr->field
    VTB_TAKE(IBV_QP_ACCESS_FLAGS, qp_access_flags);
    VTB_TAKE(IBV_QP_PKEY_INDEX, pkey_index);
    VTB_TAKE(IBV_QP_PORT, port_num);
    VTB_TAKE(IBV_QP_AV, ah_attr);
    VTB_TAKE(IBV_QP_PATH_MTU, path_mtu);
    VTB_TAKE(IBV_QP_TIMEOUT, timeout);
    VTB_TAKE(IBV_QP_RETRY_CNT, retry_cnt);
    VTB_TAKE(IBV_QP_RNR_RETRY, rnr_retry);
    VTB_TAKE(IBV_QP_RQ_PSN, rq_psn);
    VTB_TAKE(IBV_QP_MAX_QP_RD_ATOMIC, max_rd_atomic);
    VTB_TAKE(IBV_QP_MIN_RNR_TIMER, min_rnr_timer);
    VTB_TAKE(IBV_QP_SQ_PSN, sq_psn);
    VTB_TAKE(IBV_QP_MAX_DEST_RD_ATOMIC, max_dest_rd_atomic);
    VTB_TAKE(IBV_QP_DEST_QPN, dest_qp_num);
#undef VTB_TAKE
}

static int leave_service(struct vtb_qp *qp, int to) {
    atomic_store(&qp->endpoint->state, (uint32_t) to);
    if (!vtb_port_quiesce(qp->port)) {
        return DARWIN_EBUSY;
    }
    if (to == IBV_QPS_RESET) {
        qp->sent_frames = 0;
        qp->stream = (struct vtb_stream){.frame = 0};
        atomic_store(&qp->endpoint->posted_frames, 0);
        atomic_store(&qp->endpoint->peer, 0);
        vtb_cq_forget(qp);
    } else {
        atomic_store(&qp->endpoint->flushed, 1);
        vtb_doorbell_ring(qp->port->user);
    }
    return 0;
}

static int change_state(struct vtb_qp *qp, const struct ibv_qp_attr *attr, int to, int mask) {
    if (to == IBV_QPS_RESET || to == IBV_QPS_ERR) {
        return leave_service(qp, to);
    }
    if (to == IBV_QPS_RTR) {
        int error = vtb_faults_rtr(qp->port);
        error = error ? error : check_path(qp, attr);
        if (error) {
            qp->leaked = vtb_rules_of(qp->port)->leak_failed_rtr;
            return error;
        }
    }
    merge(&qp->attributes, attr, mask);
    atomic_store(&qp->endpoint->access, qp->attributes.qp_access_flags);
    atomic_store(&qp->endpoint->peer, qp->attributes.dest_qp_num);
    atomic_store(&qp->endpoint->state, (uint32_t) to);
    if (qp->port->peer >= 0) {
        vtb_doorbell_ring_all(qp->port->peer_device);
    }
    return 0;
}

int ibv_modify_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attr, int mask) {
    struct vtb_qp *qp = (struct vtb_qp *) ibv;
    vtb_faults_control_call(qp->port, VTB_CALL_MODIFY_QP);
    int from = (int) qp->endpoint->state;
    int to = mask & IBV_QP_STATE ? attr->qp_state : from;
    int required = required_mask(qp, from, to);
    bool wrong_port = (mask & IBV_QP_PORT) && attr->port_num != 1;
    if (required < 0 || (required & ~(mask | (from == to ? IBV_QP_STATE : 0))) || wrong_port) {
        return EINVAL;
    }
    int error = change_state(qp, attr, to, mask);
    if (!error) {
        ibv->state = to;
    }
    return error;
}

int ibv_query_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init) {
    const struct vtb_qp *qp = (struct vtb_qp *) ibv;
    (void) mask;
    *attr = qp->attributes;
    attr->qp_state = (int) qp->endpoint->state;
    attr->cur_qp_state = attr->qp_state;
    attr->cap = qp->granted;
    *init = (struct ibv_qp_init_attr){
        .qp_context = ibv->qp_context,
        .send_cq = ibv->send_cq,
        .recv_cq = ibv->recv_cq,
        .cap = qp->granted,
        .qp_type = ibv->qp_type,
        .sq_sig_all = qp->signal_all,
    };
    return 0;
}
