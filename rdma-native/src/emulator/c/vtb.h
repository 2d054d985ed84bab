/*
 * Layer 4, process. What this process has open. Every object handed out starts with its public verbs part, so a cast
 * leads back.
 *
 * Threads: control calls may come from any thread. Each port has one engine thread, which moves the data of its queue
 * pairs; it holds the port's lock for a pass over them, so a control call that took the lock knows the engine idle.
 */
#ifndef VTB_VTB_H
#define VTB_VTB_H

#include "fabric.h"
#include "verbs_abi.h"

#include <stdbool.h>

/* Error numbers of Darwin, which programs for Apple's provider expect wherever they run. */
enum {
    DARWIN_ENXIO = 6,
    DARWIN_ENOMEM = 12,
    DARWIN_EBUSY = 16,
    DARWIN_EINVAL = 22,
    DARWIN_ETIMEDOUT = 60,
    DARWIN_EOPNOTSUPP = 102,
};

enum { VTB_INLINE_BYTES = 256 };

/* This process's use of one device, shared by all contexts opened on it. */
struct vtb_port {
    struct vtb_fabric *fabric;
    uint32_t index;
    int32_t peer;                      /* the port at the other end of the cable; -1: no cable */
    struct vtb_device_state *device;
    struct vtb_device_state *peer_device;
    struct vtb_cable_state *cable;
    struct vtb_direction *out;
    struct vtb_direction *in;
    struct vtb_user *user;
    uint64_t owner;                    /* word with which this process claims places */
    uint32_t references;               /* open contexts */
    pthread_mutex_t lock;
    struct vtb_qp *queue_pairs[VTB_QPS];
    uint32_t next;                     /* where the engine's next pass begins */
    pthread_t engine;
    pthread_t bounce;
    uint64_t peer_seen[VTB_USERS];     /* the engine's: when each user of the peer device was last found alive */
    bool engine_started;
    bool bounce_started;
    _Atomic bool stopping;
    pthread_mutex_t bounce_lock;       /* held while the bounce thread touches this process's memory */
};

struct vtb_context {
    struct ibv_context ibv;
    struct vtb_port *port;
    uint32_t epoch;                    /* the cable's when it was opened */
};

struct vtb_pd {
    struct ibv_pd ibv;
    uint32_t slot;
};

struct vtb_mr {
    struct ibv_mr ibv;
    uint32_t slot;
};

struct vtb_cq {
    struct ibv_cq ibv;
    uint32_t slot;
    pthread_mutex_t lock;              /* the list, and the poll positions of the queue pairs in it */
    struct vtb_qp *queue_pairs[VTB_QPS];
    uint32_t count;
    uint32_t next;                     /* where the next poll begins, so that no queue pair starves */
};

struct vtb_send {
    uint64_t wr_id;
    uint64_t address;
    uint64_t remote_address;
    uint64_t ready_at;
    uint32_t length;
    uint32_t lkey;
    uint32_t rkey;
    uint32_t opcode;
    uint32_t status;
    bool signaled;
    bool inlined;                      /* address is in the queue pair's own inline area */
};

/* Where a queue pair is that lost frames: see stream.h. */
struct vtb_stream {
    uint32_t frame;                    /* of the message at the head of the queue */
    uint32_t filled;                   /* frames in the receive that is being filled */
    bool gap;                          /* this message lost one */
    bool unmarked;                     /* message boundaries are gone for good */
    uint64_t arrival;                  /* of the last frame at the other end; 0: at once. See pace.h */
};

struct vtb_qp {
    struct ibv_qp ibv;
    struct vtb_port *port;
    struct vtb_endpoint *endpoint;
    uint32_t slot;
    bool framed;                       /* Apple's rules: depth in frames, SEND and RECV of equal frames */
    bool signal_all;
    bool leaked;                       /* its place is not given back */
    struct ibv_qp_cap granted;
    struct ibv_qp_attr attributes;     /* as set by modify */

    pthread_mutex_t send_lock;         /* posters of sends */
    struct vtb_send *sends;
    uint8_t *inline_area;
    _Atomic uint64_t send_posted;
    _Atomic uint64_t send_done;
    uint64_t send_polled;              /* under the send CQ's lock */
    uint64_t send_units;               /* posted, in places of the queue; under send_lock */
    _Atomic uint64_t send_units_polled;

    pthread_mutex_t receive_lock;      /* posters of receives */
    uint64_t receive_polled;           /* under the receive CQ's lock */
    uint64_t receive_units;            /* under receive_lock */
    _Atomic uint64_t receive_units_polled;

    /* The engine's own. */
    uint64_t sent_frames;
    uint64_t waiting_since;            /* since when the first SEND cannot move; 0: it can */
    bool waits_for_wire;               /* has had work since it last found the wire busy */
    struct vtb_stream stream;
};

static inline uint32_t vtb_frames(uint32_t bytes) {
    return bytes == 0 ? 1 : (bytes - 1) / VTB_FRAME + 1;
}

/* Places of a queue that a message takes: frames under Apple's rules, else one. */
static inline uint32_t vtb_units(const struct vtb_qp *qp, uint32_t bytes) {
    return qp->framed ? vtb_frames(bytes) : 1;
}

static inline const struct vtb_rules *vtb_rules_of(const struct vtb_port *port) {
    return vtb_topology_rules(&port->fabric->topology, port->index);
}

static inline struct vtb_port *vtb_port_of(const struct ibv_context *context) {
    return ((const struct vtb_context *) context)->port;
}

#endif
