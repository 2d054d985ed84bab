/* Layer 3, fabric. The addresses of ports: invented, but stable and in the layouts that were seen. */
#ifndef VTB_GID_H
#define VTB_GID_H

#include "fabric.h"
#include "verbs_abi.h"

/* The GID at this index of a port, all zero beyond the table. False: no such index. */
bool vtb_port_gid(const struct vtb_fabric *fabric, uint32_t port, int index, union ibv_gid *gid);
int vtb_port_gid_count(const struct vtb_fabric *fabric, uint32_t port);

/* The port's EUI-64, in network byte order. */
uint64_t vtb_port_guid(const struct vtb_fabric *fabric, uint32_t port);

#endif
