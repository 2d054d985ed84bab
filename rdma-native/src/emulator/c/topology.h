/*
 * Layer 2, topology. The topology file: which hosts exist, which ports they have, and what joins them. Read once,
 * immutable afterwards.
 */
#ifndef VTB_TOPOLOGY_H
#define VTB_TOPOLOGY_H

#include "rules.h"

enum { VTB_NAME = 32, VTB_MAX_HOSTS = 16, VTB_MAX_PORTS = 96, VTB_MAX_CABLES = 48, VTB_PATH = 1024 };

struct vtb_port_spec {
    uint32_t host;
    uint32_t number;          /* the X of enX and rdma_enX, or of mcrdmaX and rdma_mcrdmaX */
    bool other_provider;      /* mcrdmaX: a card whose provider is not that of the profile */
    uint32_t ipv4;            /* host byte order */
    int32_t cable;            /* -1: nothing plugged in */
    int32_t end;              /* 0 or 1: which end of the cable this is */
};

struct vtb_cable_spec {
    char name[VTB_NAME];
    uint32_t port[2];
    double gbps;
    uint64_t bytes_per_second; /* 0: not held to a rate, see pace.h */
};

struct vtb_topology {
    struct vtb_rules rules;
    struct vtb_rules other_provider_rules;
    char hosts[VTB_MAX_HOSTS][VTB_NAME];
    uint32_t host_count;
    struct vtb_port_spec ports[VTB_MAX_PORTS];
    uint32_t port_count;
    struct vtb_cable_spec cables[VTB_MAX_CABLES];
    uint32_t cable_count;
    char state[VTB_PATH];     /* folder of the shared state */
    uint64_t hash;            /* of the file's text: processes of one fabric must agree */
};

/* Reads a file. On failure returns -1 and has written one line with file and line number to stderr. */
int vtb_topology_read(const char *path, struct vtb_topology *out);

/* Indexes, or -1. */
int vtb_topology_host(const struct vtb_topology *topology, const char *name);
int vtb_topology_cable(const struct vtb_topology *topology, const char *name);

/* What the device of a port allows. */
const struct vtb_rules *vtb_topology_rules(const struct vtb_topology *topology, uint32_t port);

/* How the names of such ports begin: "en" or "mcrdma". */
const char *vtb_port_prefix(const struct vtb_port_spec *port);

/* "host:enX" or "host:mcrdmaX" to a port index, or -1. */
int vtb_topology_port(const struct vtb_topology *topology, const char *text);

#endif
