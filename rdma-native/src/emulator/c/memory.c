/* Layer 7, verbs. Protection domains, and memory that a program registers. */
#include "faults.h"
#include "port.h"
#include "region.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
    struct vtb_port *port = vtb_port_of(context);
    const struct vtb_rules *rules = vtb_rules_of(port);
    vtb_faults_control_call(port, VTB_CALL_ALLOC_PD);
    if (rules->apple && !vtb_context_active(context)) {
        errno = DARWIN_ENXIO;
        return NULL;
    }
    int slot = vtb_fabric_claim(port->fabric, port->index, port->device->pds, sizeof(vtb_owner),
                                rules->protection_domains, port->owner);
    if (slot < 0) {
        errno = DARWIN_ENOMEM;
        return NULL;
    }
    struct vtb_pd *pd = calloc(1, sizeof *pd);
    if (!pd) {
        port->device->pds[slot] = 0;
        return NULL;
    }
    pd->ibv = (struct ibv_pd){.context = context, .handle = (uint32_t) slot};
    pd->slot = (uint32_t) slot;
    return &pd->ibv;
}

/* Whether a region or a queue pair of this process still belongs to the domain. */
static bool pd_in_use(struct vtb_port *port, uint32_t slot) {
    for (uint32_t i = 0; i < VTB_MRS; i++) {
        struct vtb_region *region = &port->device->regions[i];
        if (region->owner == port->owner && region->key && region->pd == slot) {
            return true;
        }
    }
    for (uint32_t i = 0; i < VTB_QPS; i++) {
        struct vtb_endpoint *endpoint = &port->device->endpoints[i];
        if (endpoint->owner == port->owner && endpoint->number && endpoint->pd == slot) {
            return true;
        }
    }
    return false;
}

int ibv_dealloc_pd(struct ibv_pd *ibv) {
    struct vtb_pd *pd = (struct vtb_pd *) ibv;
    struct vtb_port *port = vtb_port_of(ibv->context);
    vtb_faults_control_call(port, VTB_CALL_DEALLOC_PD);
    if (pd_in_use(port, pd->slot)) {
        return EBUSY;
    }
    port->device->pds[pd->slot] = 0;
    free(pd);
    return 0;
}

/* A device pins what is registered, so all of it has to be there. */
static bool is_mapped(uint64_t address, uint64_t length) {
    unsigned char present[1024];
    uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE);
    uint64_t step = page * sizeof present;
    for (uint64_t at = address & ~(page - 1); at < address + length; at += step) {
        uint64_t left = address + length - at;
        if (mincore((void *) (uintptr_t) at, (size_t) (left < step ? left : step), (void *) present) != 0) {
            return false;
        }
    }
    return true;
}

static int check_registration(const struct vtb_rules *rules, uint64_t address, uint64_t length, int access) {
    bool wrong = length == 0
        || length > rules->max_mr_bytes
        || address + length < address
        || address % rules->mr_alignment
        || (rules->mr_access >= 0 && access != rules->mr_access)
        || ((access & IBV_ACCESS_REMOTE_WRITE) && !(access & IBV_ACCESS_LOCAL_WRITE));
    return wrong ? EINVAL : is_mapped(address, length) ? 0 : EFAULT;
}

static struct ibv_mr *publish(struct vtb_pd *pd, struct vtb_mr *mr, int slot, int access) {
    struct vtb_port *port = vtb_port_of(pd->ibv.context);
    struct vtb_region *region = &port->device->regions[slot];
    uint32_t generation = atomic_fetch_add(&port->device->generation, 1) + 1;
    uint32_t key = generation << VTB_KEY_SLOT_BITS | (uint32_t) slot;
    key = key >> VTB_KEY_SLOT_BITS ? key : key | 1u << VTB_KEY_SLOT_BITS;
    region->address = (uintptr_t) mr->ibv.addr;
    region->length = mr->ibv.length;
    region->access = (uint32_t) access;
    region->pd = pd->slot;
    atomic_store(&region->key, key);
    mr->slot = (uint32_t) slot;
    mr->ibv.handle = (uint32_t) slot;
    mr->ibv.lkey = key;
    /* Apple hands out no remote key: nothing can use one. */
    mr->ibv.rkey = vtb_rules_of(port)->reliable ? key : 0;
    return &mr->ibv;
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access) {
    struct vtb_port *port = vtb_port_of(pd->context);
    const struct vtb_rules *rules = vtb_rules_of(port);
    vtb_faults_control_call(port, VTB_CALL_REG_MR);
    int error = check_registration(rules, (uintptr_t) address, length, access);
    if (error) {
        errno = error;
        return NULL;
    }
    struct vtb_mr *mr = calloc(1, sizeof *mr);
    if (!mr) {
        return NULL;
    }
    int slot = vtb_fabric_claim(port->fabric, port->index, &port->device->regions[0].owner, sizeof(struct vtb_region),
                                rules->memory_regions, port->owner);
    if (slot < 0) {
        free(mr);
        errno = ENOMEM;
        return NULL;
    }
    mr->ibv = (struct ibv_mr){.context = pd->context, .pd = pd, .addr = address, .length = length};
    return publish((struct vtb_pd *) pd, mr, slot, access);
}

/* Only registrations at their own address; Apple refuses zero-based ones, and nobody here needs others. */
struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned int access) {
    if (iova != (uintptr_t) address) {
        errno = EINVAL;
        return NULL;
    }
    return ibv_reg_mr(pd, address, length, (int) access);
}

int ibv_dereg_mr(struct ibv_mr *ibv) {
    struct vtb_mr *mr = (struct vtb_mr *) ibv;
    struct vtb_port *port = vtb_port_of(ibv->context);
    struct vtb_region *region = &port->device->regions[mr->slot];
    vtb_faults_control_call(port, VTB_CALL_DEREG_MR);
    atomic_store(&region->key, 0);
    if (!vtb_port_quiesce(port)) {
        return DARWIN_EBUSY;
    }
    region->owner = 0;
    free(mr);
    return 0;
}
