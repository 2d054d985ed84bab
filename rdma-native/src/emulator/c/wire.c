#include "wire.h"

#include "bounce.h"
#include "cma.h"

#include <sys/mman.h>
#include <unistd.h>

static enum vtb_wire_result move(struct vtb_port *port, const struct vtb_process *process,
                                 const struct vtb_transfer *transfer, bool write, size_t *moved) {
    if (port->fabric->state->copy == VTB_COPY_BOUNCE) {
        return vtb_bounce_move(port, process->user, transfer, write, moved);
    }
    return vtb_cma_move(process->pid, transfer, write, moved);
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
