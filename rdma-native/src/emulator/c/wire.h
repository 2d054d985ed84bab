/* Copies between this process's memory and another's, without a thread of the other taking part where the system can. */
#ifndef VTB_WIRE_H
#define VTB_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

struct vtb_port;

/* A process at the other end of the cable. */
struct vtb_process {
    uint32_t user;             /* of the peer device */
    pid_t pid;
};

/* Whether cross-memory attach works here. */
bool vtb_wire_cma_works(void);

/* Lets other processes of this user reach this one where the kernel forbids it by default (Yama). */
void vtb_wire_allow(void);

/* A run of ranges on both sides, of equal total length. */
struct vtb_transfer {
    const struct iovec *local;
    const struct iovec *remote;
    int local_count;
    int remote_count;
    size_t bytes;
};

enum vtb_wire_result { VTB_WIRE_DONE, VTB_WIRE_PEER_GONE, VTB_WIRE_FAULT };

/* Copies all of it. By the port's engine in its active section. *moved is what arrived before a fault. */
enum vtb_wire_result vtb_wire_write(
    struct vtb_port *port, const struct vtb_process *process, const struct vtb_transfer *transfer, size_t *moved);
enum vtb_wire_result vtb_wire_read(
    struct vtb_port *port, const struct vtb_process *process, const struct vtb_transfer *transfer, size_t *moved);

/* Whether this process has something mapped at every page of the range. */
bool vtb_wire_mapped(uint64_t address, uint64_t length);

#endif
