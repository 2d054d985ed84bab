/*
 * Layer 3, fabric. The shared state of all processes of one topology: one memory-mapped file.
 *
 * No lock in it can be held by a dead process. Places are claimed by compare-and-swap of an owner word, and a place
 * whose owner is dead may be claimed by the next process. An owner is a user slot and its generation; a user slot is
 * alive while its process holds the kernel's lock on the slot's byte of the file, which the kernel drops when the
 * process ends, however it ends.
 *
 * An engine announces that it may touch memory of others by making its `active` odd. Whoever takes something away (a
 * region, a queue pair) first makes it invalid and then waits until every engine of the other end has moved on
 * (vtb_fabric_quiesce): from then on nothing is written into that memory any more.
 */
#ifndef VTB_FABRIC_H
#define VTB_FABRIC_H

#include "topology.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>

enum {
    VTB_FRAME = 4096,
    VTB_MAX_DEPTH = 4095,      /* frames of a queue, and of a message */
    VTB_RING = 4096,           /* places of a ring: one more than the deepest queue */
    VTB_USERS = 12,            /* processes that may have one device open */
    VTB_QPS = 64,
    VTB_PDS = 64,
    VTB_CQS = 256,
    VTB_MRS = 1024,
    VTB_BOUNCE_BYTES = 1 << 18,
};

/* A place in a budget: 0 free, else generation << 8 | user + 1. */
typedef _Atomic uint64_t vtb_owner;
#define VTB_LEAKED UINT64_MAX

/* A copy that an engine asks another process for, where the system has no cross-memory attach. */
struct vtb_mailbox {
    _Atomic uint32_t request;  /* counts requests; the answer is due while it differs from `answer` */
    _Atomic uint32_t answer;
    _Atomic uint32_t user;     /* whose bounce thread at the other end must answer */
    uint32_t write;
    uint64_t address;
    uint64_t length;
    uint8_t bytes[VTB_BOUNCE_BYTES];
};

/* One process that has one device open. Written by it alone, but for doorbell and bounce_bell. */
struct vtb_user {
    _Atomic uint32_t generation;
    _Atomic int32_t pid;
    alignas(64) _Atomic uint32_t doorbell;
    _Atomic uint32_t sleeping;
    alignas(64) _Atomic uint32_t active; /* odd while the engine may touch memory of the other end */
    _Atomic uint64_t engine_nanos;       /* CPU time of the engine thread, now and then */
    _Atomic uint64_t bounce_nanos;       /* and of the bounce thread */
    alignas(64) _Atomic uint32_t bounce_bell;
};

/* One posted receive: its poster's until `posted` covers it, then the sending engine's until `completed` does. */
struct vtb_receive {
    uint64_t wr_id;
    uint64_t address;
    uint64_t ready_at;         /* CLOCK_MONOTONIC nanoseconds before which the completion is not shown */
    uint32_t length;
    uint32_t lkey;
    uint32_t byte_len;
    uint32_t status;
};

/* What the other end must know of a queue pair. */
struct vtb_endpoint {
    vtb_owner owner;
    _Atomic uint32_t number;   /* 0: not in use */
    _Atomic uint32_t state;
    _Atomic uint32_t peer;     /* the number this one is connected to */
    _Atomic uint32_t pd;
    _Atomic uint32_t access;
    _Atomic uint32_t type;
    _Atomic uint32_t flushed;  /* in ERR, and no engine will complete a receive any more */
    _Atomic uint32_t epoch;    /* the cable's when its context was opened; an older one is dead */
    alignas(64) _Atomic uint32_t wants_credit; /* its engine has a SEND that waits for a receive of the peer's */
    alignas(64) _Atomic uint64_t posted;
    _Atomic uint64_t posted_frames;
    alignas(64) _Atomic uint64_t completed;
    alignas(64) struct vtb_receive ring[VTB_RING];
};

struct vtb_region {
    vtb_owner owner;
    _Atomic uint32_t key;      /* lkey and rkey; 0: not valid */
    _Atomic uint32_t access;
    _Atomic uint32_t pd;
    _Atomic uint64_t address;
    _Atomic uint64_t length;
};

struct vtb_device_state {
    struct vtb_user users[VTB_USERS];
    struct vtb_mailbox mailboxes[VTB_USERS];
    vtb_owner pds[VTB_PDS];
    vtb_owner cqs[VTB_CQS];
    struct vtb_region regions[VTB_MRS];
    struct vtb_endpoint endpoints[VTB_QPS];
    _Atomic uint32_t generation; /* makes queue pair numbers and keys differ from their predecessors */

    /* Faults. */
    _Atomic uint32_t stuck_calls;      /* bits of enum vtb_call */
    _Atomic uint32_t queue_pair_limit; /* plus one; 0: as the topology says */
    _Atomic uint32_t rtr_error;
    _Atomic uint32_t rtr_failures;     /* how many more times going to RTR fails with it */
};

/* Which of a direction's frames a fault hits: those of a range of ordinals, and a seeded share of all. */
struct vtb_frame_fault {
    _Atomic uint64_t from;
    _Atomic uint64_t to;
    _Atomic uint64_t seed;
    _Atomic uint32_t rate;     /* of 2^32; 0: none */
};

/* What goes from one end of a cable to the other; direction 0 leaves end 0. */
struct vtb_direction {
    _Atomic uint64_t frames;   /* sent; also the ordinal of the next one */
    _Atomic uint64_t messages;
    _Atomic uint64_t bytes;
    _Atomic uint64_t dropped;  /* frames */
    _Atomic uint64_t corrupted;
    _Atomic uint64_t free_at;  /* when the wire has sent what was given to it */

    /* Faults. */
    struct vtb_frame_fault lose;
    struct vtb_frame_fault corrupt;
    struct vtb_frame_fault late; /* counts messages, not frames */
    _Atomic uint64_t late_nanos;
    _Atomic uint32_t lose_marked; /* the receiver notices the gap inside a message */
    _Atomic uint32_t mute;        /* loses every frame */
    _Atomic uint32_t mbps;        /* instead of the cable's speed; 0: as it is */
    _Atomic uint32_t error_status;
    _Atomic uint32_t error_at_receiver;
    _Atomic uint32_t errors;      /* how many more messages complete with error_status */
};

enum vtb_pulled { VTB_PLUGGED, VTB_PULLED_SILENT, VTB_PULLED_SEGV };

/* What happens to a cable by itself, in the middle of what moves over it. */
enum vtb_trip { VTB_NO_TRIP, VTB_TRIP_HOLD, VTB_TRIP_SILENT, VTB_TRIP_SEGV };

struct vtb_cable_state {
    struct vtb_direction direction[2];
    _Atomic uint32_t pulled;       /* enum vtb_pulled */
    _Atomic uint32_t last_pull;    /* how contexts that were open then behave, also after the cable is back */
    _Atomic uint32_t looks_active; /* its ports say ACTIVE although it is pulled */
    _Atomic uint32_t epoch;        /* counts pulls */
    _Atomic uint32_t renames;      /* how often its ports came back under other names */
    _Atomic uint32_t held;         /* everything waits, nothing is lost */
    _Atomic uint32_t trip;         /* enum vtb_trip */
    _Atomic uint64_t trip_at;      /* frames of both directions together after which it happens */
};

struct vtb_fabric_state {
    _Atomic uint64_t magic;
    _Atomic uint64_t topology_hash;
    _Atomic uint32_t copy;     /* enum vtb_copy, never AUTO */
    struct vtb_cable_state cables[VTB_MAX_CABLES];
    struct vtb_device_state devices[]; /* one for each port of the topology */
};

struct vtb_fabric {
    struct vtb_topology topology;
    struct vtb_fabric_state *state;
    int file;
    int user[VTB_MAX_PORTS];   /* the slot this process holds of each device; -1: none */
};

/* Opens or makes the shared state. Returns -1 and sets errno, with one line on stderr, if it cannot. */
int vtb_fabric_open(struct vtb_fabric *fabric, const char *topology_path);
void vtb_fabric_close(struct vtb_fabric *fabric);

/* Whether another process has it open. */
bool vtb_fabric_shared(const struct vtb_fabric *fabric);

/* Claims a user slot of a device for this process. The slot, or -1. */
int vtb_fabric_join(struct vtb_fabric *fabric, uint32_t port);
void vtb_fabric_leave(struct vtb_fabric *fabric, uint32_t port);

/* Whether the process that owned this word still lives. Costs a system call. */
bool vtb_fabric_alive(const struct vtb_fabric *fabric, uint32_t port, uint64_t owner);
bool vtb_fabric_user_alive(const struct vtb_fabric *fabric, uint32_t port, uint32_t user);

static inline uint64_t vtb_owner_word(uint32_t user, uint32_t generation) {
    return (uint64_t) generation << 8 | (user + 1);
}

static inline uint32_t vtb_owner_user(uint64_t owner) {
    return (uint32_t) (owner & 0xff) - 1;
}

/*
 * Claims one of `limit` places for the owner, taking those of dead processes if none is free. `stride` is the distance
 * of the owner words. The place, or -1.
 */
int vtb_fabric_claim(const struct vtb_fabric *fabric, uint32_t port, vtb_owner *places, size_t stride, uint32_t limit,
                     uint64_t owner);

/* The active section of an engine: between the two it may touch memory of the other end. By its own thread alone. */
static inline void vtb_active_enter(struct vtb_user *user) {
    atomic_fetch_add(&user->active, 1);
}

static inline void vtb_active_leave(struct vtb_user *user) {
    atomic_fetch_add(&user->active, 1);
}

/* Waits until no engine of this device can touch what was invalid before the call. False: one is stuck (stopped). */
bool vtb_fabric_quiesce(const struct vtb_fabric *fabric, uint32_t port);

#endif
