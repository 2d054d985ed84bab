/* Protection domains and registered regions. */
#ifndef VTB_MEMORY_H
#define VTB_MEMORY_H

#include "vtb.h"

#include <sys/uio.h>

struct vtb_access {
    uint32_t key;
    uint32_t pd;
    uint32_t rights;           /* access flags the region must have */
    uint64_t address;
    uint64_t length;
};

/*
 * The memory that a device would touch for this access, in at most two pieces; an address beyond a 4 GiB boundary inside
 * the region falls back into the region. The count of pieces, or -1: a protection error. In an active section only.
 */
int vtb_memory_resolve(const struct vtb_rules *rules, struct vtb_device_state *device, const struct vtb_access *access,
                       struct iovec pieces[2]);

#endif
