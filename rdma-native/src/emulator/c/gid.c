#include "gid.h"

#include <arpa/inet.h>
#include <string.h>

enum { GIDS = 4 };

static uint64_t mix(uint64_t value) {
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static void put64(uint8_t *place, uint64_t value) {
    for (int i = 7; i >= 0; i--, value >>= 8) {
        place[i] = (uint8_t) value;
    }
}

/* An invented, stable 64-bit identity of a port. */
static uint64_t port_identity(const struct vtb_fabric *fabric, uint32_t port) {
    const struct vtb_port_spec *spec = &fabric->topology.ports[port];
    uint64_t hash = 0;
    for (const char *c = fabric->topology.hosts[spec->host]; *c; c++) {
        hash = mix(hash ^ (uint8_t) *c);
    }
    return mix(hash + spec->number + (spec->other_provider ? 1000 : 0));
}

static union ibv_gid link_local(uint64_t interface) {
    union ibv_gid gid = {.raw = {0xfe, 0x80}};
    put64(gid.raw + 8, interface);
    return gid;
}

static union ibv_gid mapped_ipv4(uint32_t ipv4) {
    union ibv_gid gid = {.raw = {[10] = 0xff, [11] = 0xff}};
    uint32_t wire = htonl(ipv4);
    memcpy(gid.raw + 12, &wire, 4);
    return gid;
}

static union ibv_gid domain_uuid(uint64_t identity) {
    union ibv_gid gid = {.raw = {0}};
    put64(gid.raw, mix(identity + 1));
    put64(gid.raw + 8, mix(identity + 2));
    gid.raw[0] |= 0x10; /* never taken for a link-local or a mapped address */
    gid.raw[6] = (uint8_t) ((gid.raw[6] & 0x0f) | 0x40);
    gid.raw[8] = (uint8_t) ((gid.raw[8] & 0x3f) | 0x80);
    return gid;
}

/* An EUI-64 carries ff:fe in its middle. */
static uint64_t eui64(uint64_t identity) {
    return (identity & ~UINT64_C(0x000000ffff000000)) | UINT64_C(0x020000fffe000000);
}

int vtb_port_gid_count(const struct vtb_fabric *fabric, uint32_t port) {
    enum vtb_gid_layout layout = vtb_topology_rules(&fabric->topology, port)->gids;
    return layout == VTB_GIDS_26 || layout == VTB_GIDS_26_IPV4_LAST ? 3 : 2;
}

bool vtb_port_gid(const struct vtb_fabric *fabric, uint32_t port, int index, union ibv_gid *gid) {
    uint64_t identity = port_identity(fabric, port);
    union ibv_gid eui = link_local(eui64(identity));
    union ibv_gid privacy = link_local(mix(identity + 3));
    union ibv_gid ipv4 = mapped_ipv4(fabric->topology.ports[port].ipv4);
    const union ibv_gid tables[][GIDS] = {
        [VTB_GIDS_26] = {eui, ipv4, privacy},
        [VTB_GIDS_26_IPV4_LAST] = {eui, privacy, ipv4},
        [VTB_GIDS_27] = {domain_uuid(identity), eui},
        [VTB_GIDS_LINUX] = {eui, ipv4},
    };
    if (index < 0 || index >= vtb_port_gid_count(fabric, port)) {
        memset(gid, 0, sizeof *gid);
        return false;
    }
    *gid = tables[vtb_topology_rules(&fabric->topology, port)->gids][index];
    return true;
}

uint64_t vtb_port_guid(const struct vtb_fabric *fabric, uint32_t port) {
    uint64_t guid;
    put64((uint8_t *) &guid, eui64(port_identity(fabric, port)));
    return guid;
}
