#include "region.h"

static const uint64_t FOUR_GIB = UINT64_C(1) << 32;

/* Apple's device keeps the low 32 bits of an address; what lies beyond the boundary lands at the region's start. */
static int trap(uint64_t base, const struct vtb_access *access, struct iovec pieces[2]) {
    uint64_t boundary = (base / FOUR_GIB + 1) * FOUR_GIB;
    uint64_t end = access->address + access->length;
    if (end <= boundary) {
        pieces[0] = (struct iovec){(void *) (uintptr_t) access->address, access->length};
        return 1;
    }
    int count = 0;
    uint64_t beyond = access->address > boundary ? access->address : boundary;
    if (access->address < boundary) {
        pieces[count++] = (struct iovec){(void *) (uintptr_t) access->address, boundary - access->address};
    }
    uint64_t lands = base + (beyond - boundary) % (boundary - base);
    if (lands + (end - beyond) > boundary) {
        return -1;
    }
    pieces[count++] = (struct iovec){(void *) (uintptr_t) lands, end - beyond};
    return count;
}

int vtb_region_resolve(const struct vtb_rules *rules, struct vtb_device_state *device, const struct vtb_access *access,
                       struct iovec pieces[2]) {
    struct vtb_region *region = &device->regions[access->key & (VTB_MRS - 1)];
    uint64_t base = region->address;
    uint64_t length = region->length;
    if (access->key == 0 || atomic_load(&region->key) != access->key
            || region->pd != access->pd
            || (region->access & access->rights) != access->rights
            || access->address < base
            || access->length > length
            || access->address - base > length - access->length) {
        return -1;
    }
    if (rules->apple) {
        return trap(base, access, pieces);
    }
    pieces[0] = (struct iovec){(void *) (uintptr_t) access->address, access->length};
    return 1;
}
