/* Layer 8, programs. One end of a connection, made as a program would make it, for the bench and the self test. */
#ifndef VTB_KIT_H
#define VTB_KIT_H

#include "verbs_abi.h"

#include <stdbool.h>

struct kit_wish {
    int type;                  /* IBV_QPT_... */
    size_t bytes;              /* of registered memory */
    uint32_t depth;            /* of both queues, as asked */
};

struct kit_end {
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_mr *mr;
    struct ibv_cq *cq;
    struct ibv_qp *qp;
    uint8_t *memory;
    size_t bytes;
    int gid_index;
    uint32_t send_depth;       /* as granted */
    uint32_t receive_depth;
};

/* What the other end must be told. */
struct kit_address {
    union ibv_gid gid;
    uint64_t memory;
    uint32_t rkey;
    uint32_t number;
};

/* A device by name, or the first one if the name is NULL. NULL with errno if there is none. */
struct ibv_context *kit_open_device(const char *name);

/* Device to queue pair in INIT. 0, or an errno with what was made so far closed again. */
int kit_open(struct kit_end *end, const char *device, const struct kit_wish *wish);
void kit_close(struct kit_end *end);

struct kit_address kit_address(const struct kit_end *end);

/* To RTR and RTS. 0 or what modify_qp returned. */
int kit_ready_to_receive(struct kit_end *end, const struct kit_address *peer);
int kit_ready_to_send(struct kit_end *end);
int kit_connect(struct kit_end *end, const struct kit_address *peer);

/* Ranges of the end's memory. 0 or what the call returned. */
int kit_send(struct kit_end *end, uint64_t id, size_t offset, uint32_t length);
int kit_receive(struct kit_end *end, uint64_t id, size_t offset, uint32_t length);
int kit_read(struct kit_end *end, const struct kit_address *peer, uint64_t id, size_t from, size_t to, uint32_t length);

/* Swaps so many bytes with the process at the other end of a stream socket. 0 or an errno, EPIPE if it is gone. */
int kit_exchange(int socket, const void *mine, void *theirs, size_t size);

#endif
