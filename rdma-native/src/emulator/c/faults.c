#include "faults.h"

#include "futex.h"


static const uint64_t STUCK_LOOK = 10000000;

const char *const vtb_call_names[VTB_CALLS] = {
    "open_device", "close_device", "query_port", "alloc_pd",  "dealloc_pd", "reg_mr",
    "dereg_mr",    "create_cq",    "destroy_cq", "create_qp", "modify_qp",  "destroy_qp",
};

void vtb_faults_control_call(const struct vtb_port *port, enum vtb_call call) {
    while (port->device->stuck_calls & 1u << call) {
        vtb_pause_nanos(STUCK_LOOK);
    }
}

/* Counts down without going below zero, also when several processes do so at once. */
static bool take_one(_Atomic uint32_t *left) {
    uint32_t seen = atomic_load(left);
    while (seen > 0) {
        if (atomic_compare_exchange_weak(left, &seen, seen - 1)) {
            return true;
        }
    }
    return false;
}

int vtb_faults_rtr(struct vtb_port *port) {
    return take_one(&port->device->rtr_failures) ? (int) port->device->rtr_error : 0;
}

void vtb_faults_pull(struct vtb_cable_state *cable, enum vtb_pulled how) {
    cable->last_pull = how;
    cable->pulled = how;
    atomic_fetch_add(&cable->epoch, 1);
}

static uint64_t frames_moved(const struct vtb_cable_state *cable) {
    return cable->direction[0].frames + cable->direction[1].frames;
}

void vtb_faults_trip_after(struct vtb_cable_state *cable, enum vtb_trip trip, uint64_t frames) {
    cable->trip_at = frames_moved(cable) + frames;
    cable->trip = trip;
}

void vtb_faults_moved(struct vtb_cable_state *cable) {
    uint32_t trip = atomic_load_explicit(&cable->trip, memory_order_relaxed);
    bool due = trip != VTB_NO_TRIP && frames_moved(cable) >= cable->trip_at;
    if (!due || !atomic_compare_exchange_strong(&cable->trip, &trip, VTB_NO_TRIP)) {
        return;
    }
    if (trip == VTB_TRIP_HOLD) {
        cable->held = 1;
    } else {
        vtb_faults_pull(cable, trip == VTB_TRIP_SEGV ? VTB_PULLED_SEGV : VTB_PULLED_SILENT);
    }
}

void vtb_faults_post(const struct vtb_qp *qp) {
    const struct vtb_cable_state *cable = qp->port->cable;
    if (cable && cable->epoch != qp->endpoint->epoch && cable->last_pull == VTB_PULLED_SEGV) {
        volatile uint32_t *volatile unmapped = NULL;
        *unmapped = 0;
    }
}

/* The finalizer of splitmix64. */
uint64_t vtb_fault_draw(const struct vtb_frame_fault *fault, uint64_t ordinal) {
    uint64_t value = fault->seed + (ordinal + 1) * UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

bool vtb_fault_hits(const struct vtb_frame_fault *fault, uint64_t ordinal) {
    bool ranged = ordinal >= fault->from && ordinal < fault->to;
    return ranged || (fault->rate && (uint32_t) vtb_fault_draw(fault, ordinal) < fault->rate);
}

bool vtb_fault_hits_any(const struct vtb_frame_fault *fault, uint64_t first, uint64_t count) {
    if (fault->rate == 0 && (first >= fault->to || first + count <= fault->from)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (vtb_fault_hits(fault, first + i)) {
            return true;
        }
    }
    return false;
}

bool vtb_faults_take_error(struct vtb_direction *direction) {
    return take_one(&direction->errors);
}

uint64_t vtb_faults_ready_at(const struct vtb_direction *direction, uint64_t ordinal, uint64_t arrival) {
    uint64_t nanos = direction->late_nanos;
    if (!nanos || !vtb_fault_hits(&direction->late, ordinal)) {
        return arrival;
    }
    return (arrival ? arrival : vtb_now()) + nanos;
}
