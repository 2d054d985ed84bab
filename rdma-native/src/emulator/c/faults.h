/*
 * Layer 4, process. What goes wrong on purpose: set by vtbctl in the shared state, asked about by the layers above.
 * Whether a fault strikes is decided here; what it then does stands where it happens.
 */
#ifndef VTB_FAULTS_H
#define VTB_FAULTS_H

#include "vtb.h"

enum vtb_call {
    VTB_CALL_OPEN_DEVICE,
    VTB_CALL_CLOSE_DEVICE,
    VTB_CALL_QUERY_PORT,
    VTB_CALL_ALLOC_PD,
    VTB_CALL_DEALLOC_PD,
    VTB_CALL_REG_MR,
    VTB_CALL_DEREG_MR,
    VTB_CALL_CREATE_CQ,
    VTB_CALL_DESTROY_CQ,
    VTB_CALL_CREATE_QP,
    VTB_CALL_MODIFY_QP,
    VTB_CALL_DESTROY_QP,
    VTB_CALLS,
};

extern const char *const vtb_call_names[VTB_CALLS];

/* Blocks for as long as the call is stuck on this port. */
void vtb_faults_control_call(const struct vtb_port *port, enum vtb_call call);

/* An error number for a queue pair that wants to RTR; 0: none. */
int vtb_faults_rtr(struct vtb_port *port);

void vtb_faults_pull(struct vtb_cable_state *cable, enum vtb_pulled how);

/* Has this happen once so many more frames went over the cable, and at most a batch more in each direction. */
void vtb_faults_trip_after(struct vtb_cable_state *cable, enum vtb_trip trip, uint64_t frames);

/* Lets happen what is due. Called when frames moved, before anybody learns of them. */
void vtb_faults_moved(struct vtb_cable_state *cable);

/* Raises SIGSEGV, as Apple's library does, if the queue pair's cable was pulled so since its context was opened. */
void vtb_faults_post(const struct vtb_qp *qp);

/* Whether the fault hits the frame (or message) with this ordinal. */
bool vtb_fault_hits(const struct vtb_frame_fault *fault, uint64_t ordinal);

/* As above for a run of frames, cheap if the fault is off. */
bool vtb_fault_hits_any(const struct vtb_frame_fault *fault, uint64_t first, uint64_t count);

/* A number that depends on the fault's seed and the ordinal alone. */
uint64_t vtb_fault_draw(const struct vtb_frame_fault *fault, uint64_t ordinal);

/* Takes one of the error completions that are due. False: none is. */
bool vtb_faults_take_error(struct vtb_direction *direction);

/*
 * When the completion of the message with this ordinal may be shown; 0: at once. `arrival` is when its last byte
 * arrives; 0: it has.
 */
uint64_t vtb_faults_ready_at(const struct vtb_direction *direction, uint64_t ordinal, uint64_t arrival);

#endif
