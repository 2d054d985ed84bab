/*
 * Layer 5, wire. Copies between this process's memory and another's, without a thread of the other process taking part
 * where the system can.
 */
#ifndef VTB_WIRE_H
#define VTB_WIRE_H

#include "transfer.h"
#include "vtb.h"

#include <sys/types.h>

/* A process at the other end of the cable. */
struct vtb_process {
    uint32_t user;             /* of the peer device */
    pid_t pid;
};

/* Copies all of it. By the port's engine in its active section. *moved is what arrived before a fault. */
enum vtb_wire_result vtb_wire_write(
    struct vtb_port *port, const struct vtb_process *process, const struct vtb_transfer *transfer, size_t *moved);
enum vtb_wire_result vtb_wire_read(
    struct vtb_port *port, const struct vtb_process *process, const struct vtb_transfer *transfer, size_t *moved);

/* Whether this process has something mapped at every page of the range. */
bool vtb_wire_mapped(uint64_t address, uint64_t length);

#endif
