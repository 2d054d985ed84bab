/* Layer 3, fabric. Registered regions in the shared state: which memory a device touches for an access. */
#ifndef VTB_REGION_H
#define VTB_REGION_H

#include "fabric.h"

#include <sys/uio.h>

/* The low bits of a key name its region's place; those above tell it from its predecessors there. */
enum { VTB_KEY_SLOT_BITS = 10 };
_Static_assert(VTB_MRS == 1 << VTB_KEY_SLOT_BITS, "a key names its slot");

struct vtb_access {
    uint32_t key;
    uint32_t pd;
    uint32_t rights;           /* access flags the region must have */
    uint64_t address;
    uint64_t length;
};

/*
 * The memory that a device would touch for this access, in at most two pieces; an address beyond a 4 GiB boundary
 * inside the region falls back into the region. The count of pieces, or -1: a protection error. In an active section
 * only.
 */
int vtb_region_resolve(const struct vtb_rules *rules, struct vtb_device_state *device, const struct vtb_access *access,
                       struct iovec pieces[2]);

#endif
