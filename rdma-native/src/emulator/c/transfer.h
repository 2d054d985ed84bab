/* Layer 1, base. What one copy between two processes consists of, and how it ends. */
#ifndef VTB_TRANSFER_H
#define VTB_TRANSFER_H

#include <stddef.h>
#include <sys/uio.h>

/* A run of ranges on both sides, of equal total length. */
struct vtb_transfer {
    const struct iovec *local;
    const struct iovec *remote;
    int local_count;
    int remote_count;
    size_t bytes;
};

enum vtb_wire_result { VTB_WIRE_DONE, VTB_WIRE_PEER_GONE, VTB_WIRE_FAULT };

#endif
