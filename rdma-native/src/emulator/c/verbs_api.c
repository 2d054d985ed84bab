/*
 * Layer 7, verbs. Exported calls that have no state: texts, and entry points that exist because linked programs name
 * them.
 */
#include "verbs_abi.h"

#include <errno.h>
#include <string.h>

/* Words of the verbs specification, by number. */
const char *ibv_wc_status_str(int status) {
    static const char *const texts[] = {
        "success",
        "local length error",
        "local QP operation error",
        "local EE context operation error",
        "local protection error",
        "Work Request Flushed Error",
        "memory management operation error",
        "bad response error",
        "local access error",
        "remote invalid request error",
        "remote access error",
        "remote operation error",
        "transport retry counter exceeded",
        "RNR retry counter exceeded",
        "local RDD violation error",
        "remote invalid RD request",
        "aborted error",
        "invalid EE context number",
        "invalid EE context state",
        "fatal error",
        "response timeout error",
        "general error",
    };
    return status >= 0 && status < (int) (sizeof texts / sizeof *texts) ? texts[status] : "unknown";
}

#pragma GCC visibility push(default)

/* There are no completion events: programs must poll. */
void *ibv_create_comp_channel(struct ibv_context *context) {
    (void) context;
    errno = EOPNOTSUPP;
    return NULL;
}

int ibv_destroy_comp_channel(void *channel) {
    (void) channel;
    return EINVAL;
}

int ibv_get_cq_event(void *channel, struct ibv_cq **cq, void **cq_context) {
    (void) channel;
    (void) cq;
    (void) cq_context;
    errno = EOPNOTSUPP;
    return -1;
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int events) {
    (void) cq;
    (void) events;
}

/* There are no extended queue pairs, and nothing in sysfs. */
void *ibv_qp_to_qp_ex(struct ibv_qp *qp) {
    (void) qp;
    return NULL;
}

int ibv_read_sysfs_file(const char *folder, const char *file, char *buffer, size_t size) {
    (void) folder;
    (void) file;
    (void) buffer;
    (void) size;
    errno = ENOENT;
    return -1;
}

/* What rdma-core's tools ask about a GID: 2 is RoCE v2 there. */
int ibv_query_gid_type(struct ibv_context *context, uint8_t port, unsigned int index, int *type) {
    union ibv_gid gid;
    if (ibv_query_gid(context, port, (int) index, &gid)) {
        return -1;
    }
    *type = 2;
    return 0;
}

/* rdma-core's extended GID entry, as its inline wrappers pass it. */
struct gid_entry {
    union ibv_gid gid;
    uint32_t index;
    uint32_t port;
    uint32_t type;
    uint32_t interface;
};

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t index, struct gid_entry *entry,
                      uint32_t flags, size_t size) {
    (void) flags;
    if (size < sizeof *entry || ibv_query_gid(context, (uint8_t) port, (int) index, &entry->gid)) {
        return EINVAL;
    }
    entry->index = index;
    entry->port = port;
    entry->type = 2;
    entry->interface = 0;
    return 0;
}

#pragma GCC visibility pop
