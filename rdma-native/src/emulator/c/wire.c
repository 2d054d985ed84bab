#include "wire.h"

#include "bounce.h"
#include "vtb.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __linux__

#include <sys/prctl.h>

bool vtb_wire_cma_works(void) {
    char from = 1;
    char to = 0;
    struct iovec local = {&to, 1};
    struct iovec remote = {&from, 1};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
}

/* Without Yama the kernel does not know the request, and it is not needed. */
void vtb_wire_allow(void) {
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

static enum vtb_wire_result cma_result(ssize_t moved, const struct vtb_transfer *transfer, size_t *moved_out) {
    *moved_out = moved < 0 ? 0 : (size_t) moved;
    if (moved == (ssize_t) transfer->bytes) {
        return VTB_WIRE_DONE;
    }
    if (moved < 0 && errno == ESRCH) {
        return VTB_WIRE_PEER_GONE;
    }
    if (moved < 0 && errno == EPERM) {
        static _Atomic bool told;
        if (!atomic_exchange(&told, true)) {
            fputs("vtb: cross-memory attach to the peer is forbidden: run both as one user, or set option copy bounce\n",
                  stderr);
        }
    }
    return VTB_WIRE_FAULT;
}

static enum vtb_wire_result cma(pid_t pid, const struct vtb_transfer *transfer, bool write, size_t *moved) {
    ssize_t rc = (write ? process_vm_writev : process_vm_readv)(
        pid, transfer->local, (unsigned long) transfer->local_count, transfer->remote,
        (unsigned long) transfer->remote_count, 0);
    return cma_result(rc, transfer, moved);
}

#else

bool vtb_wire_cma_works(void) {
    return false;
}

void vtb_wire_allow(void) {
}

static enum vtb_wire_result cma(pid_t pid, const struct vtb_transfer *transfer, bool write, size_t *moved) {
    (void) pid;
    (void) transfer;
    (void) write;
    *moved = 0;
    return VTB_WIRE_FAULT;
}

#endif

static enum vtb_wire_result move(
        struct vtb_port *port, const struct vtb_process *process, const struct vtb_transfer *transfer, bool write, size_t *moved) {
    if (port->fabric->state->copy == VTB_COPY_BOUNCE) {
        return vtb_bounce_move(port, process->user, transfer, write, moved);
    }
    return cma(process->pid, transfer, write, moved);
}

enum vtb_wire_result vtb_wire_write(
        struct vtb_port *port, const struct vtb_process *process, const struct vtb_transfer *transfer, size_t *moved) {
    return move(port, process, transfer, true, moved);
}

enum vtb_wire_result vtb_wire_read(
        struct vtb_port *port, const struct vtb_process *process, const struct vtb_transfer *transfer, size_t *moved) {
    return move(port, process, transfer, false, moved);
}

bool vtb_wire_mapped(uint64_t address, uint64_t length) {
    uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE);
    for (uint64_t at = address - address % page; at < address + length; at += page) {
        unsigned char resident;
        if (mincore((void *) (uintptr_t) at, page, (void *) &resident)) {
            return false;
        }
    }
    return true;
}
