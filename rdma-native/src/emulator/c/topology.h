/* The topology file: which hosts exist, which ports they have, and what joins them. Read once, immutable afterwards. */
#ifndef VTB_TOPOLOGY_H
#define VTB_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

enum { VTB_NAME = 32, VTB_MAX_HOSTS = 16, VTB_MAX_PORTS = 96, VTB_MAX_CABLES = 48, VTB_PATH = 1024 };

/* How the GID table is laid out: indexes differ between systems, so programs must choose by content. */
enum vtb_gid_layout { VTB_GIDS_26, VTB_GIDS_26_IPV4_LAST, VTB_GIDS_27, VTB_GIDS_LINUX };
enum vtb_overpost { VTB_OVERPOST_REFUSE, VTB_OVERPOST_SWALLOW };
enum vtb_copy { VTB_COPY_AUTO, VTB_COPY_CMA, VTB_COPY_BOUNCE };

/* What the virtual devices allow, after profile, os and options have been applied in this order. */
struct vtb_rules {
    bool apple;               /* frame-equal matching, Darwin error numbers, granted depths, the 4 GiB trap */
    bool reliable;            /* RC queue pairs with RDMA READ exist */
    bool credits;             /* a SEND waits for a posted receive instead of being dropped */
    bool receive_at_init;     /* receives may be posted before RTR */
    bool leak_dead;           /* a dead process's shares of the budgets are never given back */
    bool leak_failed_rtr;     /* a queue pair whose RTR failed keeps its place after it is destroyed */
    enum vtb_gid_layout gids;
    enum vtb_overpost overpost;
    enum vtb_copy copy;
    uint32_t queue_pairs;
    uint32_t protection_domains;
    uint32_t completion_queues;
    uint32_t memory_regions;
    uint64_t max_mr_bytes;    /* what registration accepts */
    uint64_t advertised_mr_bytes;
    uint32_t mr_alignment;
    int32_t mr_access;        /* the only access flags that registration accepts; -1: any */
    int32_t spin_us;          /* how long an idle engine spins before it sleeps; -1: by the number of cores */
};

struct vtb_port_spec {
    uint32_t host;
    uint32_t number;          /* the X of enX and rdma_enX */
    uint32_t ipv4;            /* host byte order */
    int32_t cable;            /* -1: nothing plugged in */
    int32_t end;              /* 0 or 1: which end of the cable this is */
};

struct vtb_cable_spec {
    char name[VTB_NAME];
    uint32_t port[2];
    double gbps;
};

struct vtb_topology {
    struct vtb_rules rules;
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

/* "host:enX" to a port index, or -1. */
int vtb_topology_port(const struct vtb_topology *topology, const char *text);

#endif
