#include "stats.h"

#include <stdio.h>

static void print_port_name(const struct vtb_fabric *fabric, uint32_t port) {
    const struct vtb_port_spec *spec = &fabric->topology.ports[port];
    printf("\"%s:%s%u\"", fabric->topology.hosts[spec->host], vtb_port_prefix(spec), spec->number);
}

static void print_direction(const struct vtb_fabric *fabric, const struct vtb_cable_spec *spec,
                            const struct vtb_cable_state *cable, int end) {
    const struct vtb_direction *direction = &cable->direction[end];
    fputs("{\"from\":", stdout);
    print_port_name(fabric, spec->port[end]);
    printf(",\"frames\":%llu,\"messages\":%llu,\"bytes\":%llu,\"dropped\":%llu,\"corrupted\":%llu}",
           (unsigned long long) direction->frames, (unsigned long long) direction->messages,
           (unsigned long long) direction->bytes, (unsigned long long) direction->dropped,
           (unsigned long long) direction->corrupted);
}

static void print_cables(const struct vtb_fabric *fabric) {
    for (uint32_t i = 0; i < fabric->topology.cable_count; i++) {
        const struct vtb_cable_spec *spec = &fabric->topology.cables[i];
        const struct vtb_cable_state *cable = &fabric->state->cables[i];
        printf("%s\n  {\"name\":\"%s\",\"plugged\":%s,\"pulls\":%u,\"directions\":[", i ? "," : "", spec->name,
               cable->pulled == VTB_PLUGGED ? "true" : "false", cable->epoch);
        print_direction(fabric, spec, cable, 0);
        fputs(",", stdout);
        print_direction(fabric, spec, cable, 1);
        fputs("]}", stdout);
    }
}

struct budget {
    const char *name;
    vtb_owner *places;
    size_t stride;
    int count;
};

/* Places whose owner lives, and places that nobody gives back. */
static void print_budget(const struct vtb_fabric *fabric, uint32_t port, const struct budget *budget) {
    int used = 0;
    int leaked = 0;
    for (int i = 0; i < budget->count; i++) {
        uint64_t owner = *(vtb_owner *) ((char *) budget->places + (size_t) i * budget->stride);
        bool lives = owner != 0 && owner != VTB_LEAKED && vtb_fabric_alive(fabric, port, owner);
        bool kept = owner != 0 && !lives && (owner == VTB_LEAKED || fabric->topology.rules.leak_dead);
        used += lives;
        leaked += kept;
    }
    printf(",\"%s\":{\"used\":%d,\"leaked\":%d}", budget->name, used, leaked);
}

static void print_users(const struct vtb_fabric *fabric, uint32_t port) {
    const char *comma = "";
    fputs(",\"users\":[", stdout);
    for (uint32_t i = 0; i < VTB_USERS; i++) {
        const struct vtb_user *user = &fabric->state->devices[port].users[i];
        if (vtb_fabric_user_alive(fabric, port, i)) {
            printf("%s{\"pid\":%d,\"engineCpuSeconds\":%.3f,\"bounceCpuSeconds\":%.3f}", comma, user->pid,
                   (double) user->engine_nanos / 1e9, (double) user->bounce_nanos / 1e9);
            comma = ",";
        }
    }
    fputs("]", stdout);
}

static void print_ports(const struct vtb_fabric *fabric) {
    for (uint32_t i = 0; i < fabric->topology.port_count; i++) {
        struct vtb_device_state *device = &fabric->state->devices[i];
        printf("%s\n  {\"name\":", i ? "," : "");
        print_port_name(fabric, i);
        const struct budget budgets[] = {
            {"queuePairs", &device->endpoints[0].owner, sizeof *device->endpoints, VTB_QPS},
            {"memoryRegions", &device->regions[0].owner, sizeof *device->regions, VTB_MRS},
            {"protectionDomains", device->pds, sizeof *device->pds, VTB_PDS},
            {"completionQueues", device->cqs, sizeof *device->cqs, VTB_CQS},
        };
        for (size_t budget = 0; budget < sizeof budgets / sizeof *budgets; budget++) {
            print_budget(fabric, i, &budgets[budget]);
        }
        print_users(fabric, i);
        fputs("}", stdout);
    }
}

void vtb_stats_print(const struct vtb_fabric *fabric) {
    printf("{\"copy\":\"%s\",\"cables\":[", fabric->state->copy == VTB_COPY_CMA ? "cma" : "bounce");
    print_cables(fabric);
    fputs("],\"ports\":[", stdout);
    print_ports(fabric);
    fputs("]}\n", stdout);
}
