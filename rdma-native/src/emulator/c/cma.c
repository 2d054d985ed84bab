#include "cma.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __linux__

#include <sys/prctl.h>

bool vtb_cma_works(void) {
    char from = 1;
    char to = 0;
    struct iovec local = {&to, 1};
    struct iovec remote = {&from, 1};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
}

/* Without Yama the kernel does not know the request, and it is not needed. */
void vtb_cma_allow(void) {
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

static enum vtb_wire_result result_of(ssize_t moved, const struct vtb_transfer *transfer, size_t *moved_out) {
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
            fputs("vtb: cross-memory attach to the peer is forbidden: run both as one user,"
                  " or set option copy bounce\n",
                  stderr);
        }
    }
    return VTB_WIRE_FAULT;
}

enum vtb_wire_result vtb_cma_move(pid_t pid, const struct vtb_transfer *transfer, bool write, size_t *moved) {
    ssize_t rc = (write ? process_vm_writev : process_vm_readv)(
        pid, transfer->local, (unsigned long) transfer->local_count, transfer->remote,
        (unsigned long) transfer->remote_count, 0);
    return result_of(rc, transfer, moved);
}

#else

bool vtb_cma_works(void) {
    return false;
}

void vtb_cma_allow(void) {
}

enum vtb_wire_result vtb_cma_move(pid_t pid, const struct vtb_transfer *transfer, bool write, size_t *moved) {
    (void) pid;
    (void) transfer;
    (void) write;
    *moved = 0;
    return VTB_WIRE_FAULT;
}

#endif
