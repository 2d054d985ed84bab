/*
 * Layer 8, programs. vtbctl: makes things go wrong in a running virtual Thunderbolt, and shows what went over its
 * cables.
 */
#include "doorbell.h"
#include "faults.h"
#include "futex.h"
#include "number.h"
#include "stats.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char USAGE[] =
    "usage: vtbctl TOPOLOGY COMMAND\n"
    "  cable NAME pull [segv|silent] [active] [after FRAMES]\n"
    "                                           post calls of both ends crash, or nothing moves any more\n"
    "  cable NAME plug [renamed]                the cable is back; what was open before stays dead\n"
    "  cable NAME flap MILLIS [segv|silent]     pull, wait, plug\n"
    "  cable NAME hold on [after FRAMES] | off  everything waits, nothing is lost\n"
    "  cable NAME [from HOST:enX] mute on|off   every frame in this direction is lost\n"
    "  cable NAME [from HOST:enX] lose|corrupt rate P [seed S] | next N [after M] | off\n"
    "  cable NAME [from HOST:enX] lose marked on|off\n"
    "  cable NAME [from HOST:enX] late MICROS [rate P] [seed S] | late off\n"
    "  cable NAME [from HOST:enX] error STATUS send|receive next N | error off\n"
    "  cable NAME [from HOST:enX] gbps N|off\n"
    "  cable NAME clear                         all of the above off\n"
    "                                           each pull, plug, flap, hold and clear of a cable takes the place of\n"
    "                                           one that still waits for its FRAMES\n"
    "  port HOST:enX stuck CALL on|off          CALL: alloc_pd, create_qp, modify_qp, dereg_mr, ...\n"
    "  port HOST:enX queue_pairs N|off          the budget\n"
    "  port HOST:enX rtr ERRNO next N | off     going to RTR fails\n"
    "  stats                                    JSON\n"
    "  clean                                    removes the state folder; nobody may use it\n";

static struct vtb_fabric fabric;

/* The words of the command that are not yet used. */
static char **words;

static _Noreturn void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("vtbctl: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

static const char *next_word(const char *what) {
    if (!*words) {
        die("%s expected\n%s", what, USAGE);
    }
    return *words++;
}

static bool accept(const char *word) {
    if (!*words || strcmp(*words, word)) {
        return false;
    }
    words++;
    return true;
}

static uint64_t number(const char *what, uint64_t max) {
    const char *word = next_word(what);
    uint64_t value;
    if (!vtb_parse_number(word, max, &value)) {
        die("%s: %s expected, up to %llu", word, what, (unsigned long long) max);
    }
    return value;
}

static double fraction(const char *what, double max) {
    const char *word = next_word(what);
    double value;
    if (!vtb_parse_fraction(word, max, &value)) {
        die("%s: %s expected, from 0 to %g", word, what, max);
    }
    return value;
}

static bool on_or_off(void) {
    if (accept("on")) {
        return true;
    }
    if (!accept("off")) {
        die("on or off expected");
    }
    return false;
}

static uint32_t rate(void) {
    double share = fraction("a share", 1) * 4294967296.0;
    return share >= 4294967295.0 ? UINT32_MAX : (uint32_t) share;
}

static void fault_off(struct vtb_frame_fault *fault) {
    fault->rate = 0;
    fault->to = 0;
    fault->from = 0;
}

/* rate P [seed S] | next N [after M] | off */
static void set_frame_fault(struct vtb_frame_fault *fault, uint64_t ordinal) {
    if (accept("rate")) {
        uint32_t share = rate();
        fault->seed = accept("seed") ? number("a seed", UINT64_MAX) : 0;
        fault->rate = share;
    } else if (accept("next")) {
        uint64_t count = number("a count", UINT32_MAX);
        uint64_t after = accept("after") ? number("a count", UINT32_MAX) : 0;
        fault->from = ordinal + after;
        fault->to = ordinal + after + count;
    } else if (accept("off")) {
        fault_off(fault);
    } else {
        die("rate, next or off expected");
    }
}

static void set_late(struct vtb_direction *direction) {
    if (accept("off")) {
        direction->late_nanos = 0;
        return;
    }
    uint64_t nanos = number("microseconds", 1000000000u) * 1000;
    direction->late.rate = accept("rate") ? rate() : UINT32_MAX;
    direction->late.seed = accept("seed") ? number("a seed", UINT64_MAX) : 0;
    direction->late_nanos = nanos;
}

static void set_error(struct vtb_direction *direction) {
    if (accept("off")) {
        direction->errors = 0;
        return;
    }
    direction->error_status = (uint32_t) number("a completion status", IBV_WC_GENERAL_ERR);
    direction->error_at_receiver = accept("receive");
    if (!direction->error_at_receiver && !accept("send")) {
        die("send or receive expected");
    }
    if (!accept("next")) {
        die("next expected");
    }
    direction->errors = (uint32_t) number("a count", UINT32_MAX);
}

static void clear_direction(struct vtb_direction *direction) {
    fault_off(&direction->lose);
    fault_off(&direction->corrupt);
    direction->lose_marked = 0;
    direction->late_nanos = 0;
    direction->errors = 0;
    direction->mbps = 0;
    direction->mute = 0;
}

static void set_direction(struct vtb_direction *direction) {
    if (accept("mute")) {
        direction->mute = on_or_off();
    } else if (accept("lose")) {
        if (accept("marked")) {
            direction->lose_marked = on_or_off();
        } else {
            set_frame_fault(&direction->lose, direction->frames);
        }
    } else if (accept("corrupt")) {
        set_frame_fault(&direction->corrupt, direction->frames);
    } else if (accept("late")) {
        set_late(direction);
    } else if (accept("error")) {
        set_error(direction);
    } else if (accept("gbps")) {
        direction->mbps = accept("off") ? 0 : (uint32_t) (fraction("a speed", 4e6) * 1000);
    } else {
        die("no such command for a cable: %s\n%s", *words ? *words : "", USAGE);
    }
}

static void pull(struct vtb_cable_state *cable) {
    cable->trip = VTB_NO_TRIP;
    enum vtb_pulled how = accept("segv") ? VTB_PULLED_SEGV : VTB_PULLED_SILENT;
    accept("silent");
    cable->looks_active = accept("active");
    if (accept("after")) {
        enum vtb_trip trip = how == VTB_PULLED_SEGV ? VTB_TRIP_SEGV : VTB_TRIP_SILENT;
        vtb_faults_trip_after(cable, trip, number("a count", UINT32_MAX));
    } else {
        vtb_faults_pull(cable, how);
    }
}

static void hold(struct vtb_cable_state *cable) {
    cable->trip = VTB_NO_TRIP;
    bool on = on_or_off();
    if (on && accept("after")) {
        vtb_faults_trip_after(cable, VTB_TRIP_HOLD, number("a count", UINT32_MAX));
    } else {
        cable->held = on;
    }
}

static void plug(struct vtb_cable_state *cable) {
    cable->trip = VTB_NO_TRIP;
    if (accept("renamed")) {
        cable->renames++;
    }
    cable->looks_active = 0;
    cable->pulled = VTB_PLUGGED;
}

static void ring_both(const struct vtb_cable_spec *spec) {
    for (int end = 0; end < 2; end++) {
        vtb_doorbell_ring_all(&fabric.state->devices[spec->port[end]]);
    }
}

/* from HOST:enX: one direction; without it, both are set alike. */
static void set_directions(const struct vtb_cable_spec *spec, struct vtb_cable_state *cable) {
    int only = -1;
    if (accept("from")) {
        const char *name = next_word("HOST:enX");
        int port = vtb_topology_port(&fabric.topology, name);
        only = port == (int) spec->port[0] ? 0 : port == (int) spec->port[1] ? 1 : -1;
        if (port < 0 || only < 0) {
            die("%s is not an end of cable %s", name, spec->name);
        }
    }
    char **start = words;
    for (int i = 0; i < 2; i++) {
        if (only < 0 || only == i) {
            words = start;
            set_direction(&cable->direction[i]);
        }
    }
}

static void on_cable(void) {
    const char *name = next_word("the name of a cable");
    int index = vtb_topology_cable(&fabric.topology, name);
    if (index < 0) {
        die("no cable %s in the topology", name);
    }
    const struct vtb_cable_spec *spec = &fabric.topology.cables[index];
    struct vtb_cable_state *cable = &fabric.state->cables[index];
    if (accept("pull")) {
        pull(cable);
    } else if (accept("plug")) {
        plug(cable);
    } else if (accept("flap")) {
        uint64_t millis = number("milliseconds", 600000);
        pull(cable);
        ring_both(spec);
        vtb_pause_nanos(millis * 1000000);
        plug(cable);
    } else if (accept("hold")) {
        hold(cable);
    } else if (accept("clear")) {
        plug(cable);
        cable->held = 0;
        clear_direction(&cable->direction[0]);
        clear_direction(&cable->direction[1]);
    } else {
        set_directions(spec, cable);
    }
    ring_both(spec);
}

static void set_stuck(struct vtb_device_state *device) {
    const char *name = next_word("the name of a call");
    for (int call = 0; call < VTB_CALLS; call++) {
        if (!strcmp(vtb_call_names[call], name)) {
            if (on_or_off()) {
                atomic_fetch_or(&device->stuck_calls, 1u << call);
            } else {
                atomic_fetch_and(&device->stuck_calls, ~(1u << call));
            }
            return;
        }
    }
    die("no call %s that can be stuck", name);
}

static void set_rtr(struct vtb_device_state *device) {
    if (accept("off")) {
        device->rtr_failures = 0;
        return;
    }
    device->rtr_error = (uint32_t) number("an error number", 200);
    if (!accept("next")) {
        die("next expected");
    }
    device->rtr_failures = (uint32_t) number("a count", UINT32_MAX);
}

static void on_port(void) {
    const char *name = next_word("HOST:enX");
    int port = vtb_topology_port(&fabric.topology, name);
    if (port < 0) {
        die("no port %s in the topology", name);
    }
    struct vtb_device_state *device = &fabric.state->devices[port];
    if (accept("stuck")) {
        set_stuck(device);
    } else if (accept("queue_pairs")) {
        device->queue_pair_limit = accept("off") ? 0 : (uint32_t) number("a budget", VTB_QPS) + 1;
    } else if (accept("rtr")) {
        set_rtr(device);
    } else {
        die("no such command for a port: %s\n%s", *words ? *words : "", USAGE);
    }
}

static void on_stats(void) {
    vtb_stats_print(&fabric);
}

static void clean(void) {
    char path[VTB_PATH + 8];
    if (vtb_fabric_shared(&fabric)) {
        die("a process has it open");
    }
    snprintf(path, sizeof path, "%s/fabric", fabric.topology.state);
    if (unlink(path) || rmdir(fabric.topology.state)) {
        die("%s: %s", path, strerror(errno));
    }
}

int main(int count, char **arguments) {
    static const struct { const char *name; void (*run)(void); } commands[] = {
        {"cable", on_cable}, {"port", on_port}, {"stats", on_stats}, {"clean", clean},
    };
    if (count < 3) {
        fputs(USAGE, stderr);
        return 2;
    }
    if (vtb_fabric_open(&fabric, arguments[1])) {
        return 1;
    }
    words = arguments + 2;
    const char *name = next_word("a command");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!strcmp(name, commands[i].name)) {
            commands[i].run();
            if (*words) {
                die("too many words: %s", *words);
            }
            vtb_fabric_close(&fabric);
            return 0;
        }
    }
    die("no such command: %s\n%s", name, USAGE);
}
