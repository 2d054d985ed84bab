/* Layer 7, verbs. Devices, ports and their addresses: what a program opens, asks and closes. */
#include "cma.h"
#include "engine.h"
#include "faults.h"
#include "gid.h"
#include "port.h"
#include "verbs_ops.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This process's fabric: opened by the first look at the devices, then kept until the process ends. */
static struct {
    pthread_mutex_t lock;
    bool tried;
    bool open;
    int host;
    struct vtb_fabric fabric;
    struct ibv_device devices[VTB_MAX_PORTS];
    struct vtb_port *ports[VTB_MAX_PORTS];
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum { RENAME_STEP = 10 };

/* The name changes when the cable comes back under another one. */
static void describe(struct ibv_device *device, uint32_t port) {
    const struct vtb_topology *topology = &process.fabric.topology;
    const struct vtb_port_spec *spec = &topology->ports[port];
    uint32_t renames = spec->cable >= 0 ? process.fabric.state->cables[spec->cable].renames : 0;
    uint32_t number = spec->number + RENAME_STEP * renames;
    device->node_type = IBV_NODE_CA;
    device->transport_type = vtb_topology_rules(topology, port)->apple ? IBV_TRANSPORT_THUNDERBOLT : IBV_TRANSPORT_IB;
    snprintf(device->name, sizeof device->name, "rdma_%s%u", vtb_port_prefix(spec), number);
    snprintf(device->dev_name, sizeof device->dev_name, "vtb%s%u", spec->other_provider ? "m" : "", number);
}

/* Under the process lock. Without the environment variables there is a library but no device. */
static void open_fabric(void) {
    const char *path = getenv("BOLT_VTB_TOPOLOGY");
    const char *host = getenv("BOLT_VTB_HOST");
    process.tried = true;
    if (!path || !host || vtb_fabric_open(&process.fabric, path)) {
        return;
    }
    process.host = vtb_topology_host(&process.fabric.topology, host);
    if (process.host < 0) {
        fprintf(stderr, "vtb: %s: no host %s (BOLT_VTB_HOST)\n", path, host);
        vtb_fabric_close(&process.fabric);
        return;
    }
    vtb_cma_allow();
    process.open = true;
}

struct ibv_device **ibv_get_device_list(int *count) {
    struct ibv_device **list = calloc(VTB_MAX_PORTS + 1, sizeof *list);
    int found = 0;
    if (!list) {
        return NULL;
    }
    pthread_mutex_lock(&process.lock);
    if (!process.tried) {
        open_fabric();
    }
    for (uint32_t i = 0; process.open && i < process.fabric.topology.port_count; i++) {
        if (process.fabric.topology.ports[i].host == (uint32_t) process.host) {
            describe(&process.devices[i], i);
            list[found++] = &process.devices[i];
        }
    }
    pthread_mutex_unlock(&process.lock);
    if (count) {
        *count = found;
    }
    return list;
}

void ibv_free_device_list(struct ibv_device **list) {
    free(list);
}

const char *ibv_get_device_name(struct ibv_device *device) {
    return device->name;
}

static uint32_t device_index(const struct ibv_device *device) {
    return (uint32_t) (device - process.devices);
}

uint64_t ibv_get_device_guid(struct ibv_device *device) {
    return vtb_port_guid(&process.fabric, device_index(device));
}

static struct vtb_port *make_port(uint32_t index) {
    struct vtb_fabric *fabric = &process.fabric;
    const struct vtb_port_spec *spec = &fabric->topology.ports[index];
    struct vtb_port *port = calloc(1, sizeof *port);
    int user = port ? vtb_fabric_join(fabric, index) : -1;
    if (user < 0) {
        free(port);
        errno = EAGAIN;
        return NULL;
    }
    port->fabric = fabric;
    port->index = index;
    port->device = &fabric->state->devices[index];
    port->user = &port->device->users[user];
    port->owner = vtb_owner_word((uint32_t) user, port->user->generation);
    port->peer = -1;
    if (spec->cable >= 0) {
        port->peer = (int32_t) fabric->topology.cables[spec->cable].port[1 - spec->end];
        port->peer_device = &fabric->state->devices[port->peer];
        port->cable = &fabric->state->cables[spec->cable];
        port->out = &port->cable->direction[spec->end];
        port->in = &port->cable->direction[1 - spec->end];
    }
    pthread_mutex_init(&port->lock, NULL);
    pthread_mutex_init(&port->bounce_lock, NULL);
    process.ports[index] = port;
    return port;
}

struct ibv_context *ibv_open_device(struct ibv_device *device) {
    struct vtb_context *context = calloc(1, sizeof *context);
    if (!context) {
        return NULL;
    }
    uint32_t index = device_index(device);
    pthread_mutex_lock(&process.lock);
    context->port = process.ports[index] ? process.ports[index] : make_port(index);
    if (context->port) {
        context->port->references++;
    }
    pthread_mutex_unlock(&process.lock);
    if (!context->port) {
        free(context);
        return NULL;
    }
    vtb_faults_control_call(context->port, VTB_CALL_OPEN_DEVICE);
    context->epoch = context->port->cable ? context->port->cable->epoch : 0;
    context->ibv.device = device;
    context->ibv.ops = (struct ibv_context_ops){
        .poll_cq = vtb_poll_cq,
        .req_notify_cq = vtb_req_notify_cq,
        .post_send = vtb_post_send,
        .post_recv = vtb_post_recv,
    };
    context->ibv.cmd_fd = -1;
    context->ibv.async_fd = -1;
    context->ibv.num_comp_vectors = 1;
    pthread_mutex_init(&context->ibv.mutex, NULL);
    return &context->ibv;
}

int ibv_close_device(struct ibv_context *ibv) {
    struct vtb_port *port = vtb_port_of(ibv);
    vtb_faults_control_call(port, VTB_CALL_CLOSE_DEVICE);
    pthread_mutex_lock(&process.lock);
    if (--port->references == 0) {
        process.ports[port->index] = NULL;
        vtb_engine_stop(port);
        vtb_fabric_leave(port->fabric, port->index);
        pthread_mutex_destroy(&port->lock);
        pthread_mutex_destroy(&port->bounce_lock);
        free(port);
    }
    pthread_mutex_unlock(&process.lock);
    pthread_mutex_destroy(&ibv->mutex);
    free(ibv);
    return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr) {
    const struct vtb_rules *rules = vtb_rules_of(vtb_port_of(context));
    *attr = (struct ibv_device_attr){
        .node_guid = ibv_get_device_guid(context->device),
        .sys_image_guid = ibv_get_device_guid(context->device),
        .max_mr_size = rules->advertised_mr_bytes,
        .page_size_cap = VTB_FRAME,
        .max_qp = (int) rules->queue_pairs,
        .max_qp_wr = VTB_MAX_DEPTH,
        .max_sge = 1,
        .max_cq = (int) rules->completion_queues,
        .max_cqe = VTB_MAX_DEPTH + 1,
        .max_mr = (int) rules->memory_regions,
        .max_pd = (int) rules->protection_domains,
        .max_qp_rd_atom = rules->reliable ? 16 : 0,
        .max_res_rd_atom = rules->reliable ? 16 : 0,
        .max_qp_init_rd_atom = rules->reliable ? 16 : 0,
        .max_pkeys = 1,
        .phys_port_cnt = 1,
    };
    strcpy(attr->fw_ver, "vtb");
    return 0;
}

int ibv_query_port(struct ibv_context *context, uint8_t number, struct ibv_port_attr *attr) {
    const struct vtb_port *port = vtb_port_of(context);
    const struct vtb_rules *rules = vtb_rules_of(port);
    if (number != 1) {
        return EINVAL;
    }
    vtb_faults_control_call(port, VTB_CALL_QUERY_PORT);
    bool up = vtb_context_active(context);
    *attr = (struct ibv_port_attr){
        .state = up ? IBV_PORT_ACTIVE : IBV_PORT_DOWN,
        .max_mtu = IBV_MTU_4096,
        .active_mtu = IBV_MTU_4096,
        .gid_tbl_len = vtb_port_gid_count(port->fabric, port->index),
        .max_msg_sz = 0x1000000,
        .pkey_tbl_len = 1,
        .lid = (uint16_t) (rules->apple ? port->index + 1 : 0),
        .active_width = 4,  /* 8X */
        .active_speed = 4,  /* 10 Gb/s a lane */
        .phys_state = up ? 5 : 3,
        .link_layer = rules->apple ? IBV_LINK_LAYER_THUNDERBOLT : IBV_LINK_LAYER_ETHERNET,
    };
    return 0;
}

int ibv_query_gid(struct ibv_context *context, uint8_t number, int index, union ibv_gid *gid) {
    const struct vtb_port *port = vtb_port_of(context);
    if (number != 1 || !vtb_port_gid(port->fabric, port->index, index, gid)) {
        errno = EINVAL;
        return -1;
    }
    return 0;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t number, int index, uint16_t *pkey) {
    (void) context;
    if (number != 1 || index != 0) {
        errno = EINVAL;
        return -1;
    }
    *pkey = 0xffff;
    return 0;
}
