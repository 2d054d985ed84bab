#include "topology.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 12, MAX_LINE = 2048 };

struct parser {
    struct vtb_topology *out;
    const char *path;
    int line;
    char *words[MAX_WORDS];
    int count;
    bool options_seen;
};

static int fail(const struct parser *parser, const char *what, const char *word) {
    fprintf(stderr, "vtb: %s:%d: %s%s%s\n", parser->path, parser->line, what, word ? ": " : "", word ? word : "");
    errno = EINVAL;
    return -1;
}

static void apply_profile_linux(struct vtb_rules *rules) {
    *rules = (struct vtb_rules){
        .reliable = true,
        .credits = true,
        .receive_at_init = true,
        .gids = VTB_GIDS_LINUX,
        .queue_pairs = 64,
        .protection_domains = 64,
        .completion_queues = 256,
        .memory_regions = 1024,
        .max_mr_bytes = UINT64_C(1) << 40,
        .advertised_mr_bytes = UINT64_C(1) << 40,
        .mr_alignment = 1,
        .mr_access = -1,
        .spin_us = -1,
    };
}

static void apply_profile_apple(struct vtb_rules *rules) {
    *rules = (struct vtb_rules){
        .apple = true,
        .credits = true,
        .gids = VTB_GIDS_26,
        .queue_pairs = 10,
        .protection_domains = 11,
        .completion_queues = 11,
        .memory_regions = 100,
        .max_mr_bytes = UINT64_C(1) << 32,
        .advertised_mr_bytes = 0xfa0000,
        .mr_alignment = 4096,
        .mr_access = -1,
        .spin_us = -1,
    };
}

static int parse_u64(const char *word, uint64_t max, uint64_t *out) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(word, &end, 0);
    if (errno || end == word || *end || word[0] == '-' || value > max) {
        return -1;
    }
    *out = value;
    return 0;
}

static int parse_u32(const char *word, uint32_t max, uint32_t *out) {
    uint64_t value;
    if (parse_u64(word, max, &value)) {
        return -1;
    }
    *out = (uint32_t) value;
    return 0;
}

static int parse_i32(const char *word, int32_t max, int32_t *out) {
    uint64_t value;
    if (parse_u64(word, (uint64_t) max, &value)) {
        return -1;
    }
    *out = (int32_t) value;
    return 0;
}

static int parse_switch(const char *word, bool *out) {
    if (strcmp(word, "on") && strcmp(word, "off")) {
        return -1;
    }
    *out = !strcmp(word, "on");
    return 0;
}

/* The index of word in a NULL-terminated list. */
static int parse_choice(const char *word, const char *const *names, int *out) {
    for (int i = 0; names[i]; i++) {
        if (!strcmp(word, names[i])) {
            *out = i;
            return 0;
        }
    }
    return -1;
}

static int set_choice(struct vtb_rules *rules, const char *key, const char *value) {
    static const char *const layouts[] = {"26", "26-ipv4-last", "27", "linux", NULL};
    static const char *const overposts[] = {"refuse", "corrupt", NULL};
    static const char *const copies[] = {"auto", "cma", "bounce", NULL};
    int choice;
    if (!strcmp(key, "gid_layout")) {
        if (parse_choice(value, layouts, &choice)) {
            return -1;
        }
        rules->gids = (enum vtb_gid_layout) choice;
        return 0;
    }
    if (!strcmp(key, "overpost")) {
        if (parse_choice(value, overposts, &choice)) {
            return -1;
        }
        rules->overpost = (enum vtb_overpost) choice;
        return 0;
    }
    if (!strcmp(key, "copy")) {
        if (parse_choice(value, copies, &choice)) {
            return -1;
        }
        rules->copy = (enum vtb_copy) choice;
        return 0;
    }
    return 1;
}

/* 0: set; -1: bad value; 1: no such key. The limits are the sizes of the tables in the shared state. */
static int set_option(struct vtb_rules *rules, const char *key, const char *value) {
    struct { const char *key; bool *place; } switches[] = {
        {"credits", &rules->credits},
        {"receive_at_init", &rules->receive_at_init},
        {"leak_dead", &rules->leak_dead},
        {"leak_failed_rtr", &rules->leak_failed_rtr},
    };
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        if (!strcmp(key, switches[i].key)) {
            return parse_switch(value, switches[i].place);
        }
    }
    struct { const char *key; uint32_t *place; uint32_t max; } numbers[] = {
        {"queue_pairs", &rules->queue_pairs, 64},
        {"protection_domains", &rules->protection_domains, 64},
        {"completion_queues", &rules->completion_queues, 256},
        {"memory_regions", &rules->memory_regions, 1024},
        {"mr_alignment", &rules->mr_alignment, 1 << 30},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!strcmp(key, numbers[i].key)) {
            return parse_u32(value, numbers[i].max, numbers[i].place);
        }
    }
    if (!strcmp(key, "max_mr_bytes")) {
        return parse_u64(value, UINT64_MAX >> 1, &rules->max_mr_bytes);
    }
    if (!strcmp(key, "mr_access")) {
        return parse_i32(value, 7, &rules->mr_access);
    }
    if (!strcmp(key, "spin_us")) {
        return parse_i32(value, 1000000, &rules->spin_us);
    }
    return set_choice(rules, key, value);
}

static int on_option(struct parser *parser) {
    if (parser->count != 3) {
        return fail(parser, "usage: option KEY VALUE", NULL);
    }
    parser->options_seen = true;
    int rc = set_option(&parser->out->rules, parser->words[1], parser->words[2]);
    if (rc > 0) {
        return fail(parser, "no such option", parser->words[1]);
    }
    return rc ? fail(parser, "bad value", parser->words[2]) : 0;
}

/* profile, os and mode: each rewrites a part of the rules, so they stand before the options. */
static int on_rules(struct parser *parser) {
    struct vtb_rules *rules = &parser->out->rules;
    if (parser->count != 2) {
        return fail(parser, "one value expected after", parser->words[0]);
    }
    if (parser->options_seen) {
        return fail(parser, "must stand before the first option", parser->words[0]);
    }
    const char *key = parser->words[0];
    const char *value = parser->words[1];
    if (!strcmp(key, "profile") && !strcmp(value, "apple")) {
        apply_profile_apple(rules);
    } else if (!strcmp(key, "profile") && !strcmp(value, "linux")) {
        apply_profile_linux(rules);
    } else if (!strcmp(key, "os") && !strcmp(value, "26")) {
        rules->gids = VTB_GIDS_26;
    } else if (!strcmp(key, "os") && !strcmp(value, "27")) {
        rules->gids = VTB_GIDS_27;
        rules->queue_pairs = 3;
        rules->receive_at_init = true;
    } else if (!strcmp(key, "mode") && (!strcmp(value, "uc") || !strcmp(value, "rc"))) {
        rules->reliable = !strcmp(value, "rc");
    } else {
        return fail(parser, "bad value", value);
    }
    return 0;
}

static int copy_name(struct parser *parser, char *place, const char *name) {
    if (strlen(name) >= VTB_NAME || strchr(name, ':')) {
        return fail(parser, "name too long or with a colon", name);
    }
    strcpy(place, name);
    return 0;
}

static int on_host(struct parser *parser) {
    struct vtb_topology *out = parser->out;
    if (parser->count != 2) {
        return fail(parser, "usage: host NAME", NULL);
    }
    if (vtb_topology_host(out, parser->words[1]) >= 0) {
        return fail(parser, "host named twice", parser->words[1]);
    }
    if (out->host_count == VTB_MAX_HOSTS) {
        return fail(parser, "too many hosts", NULL);
    }
    return copy_name(parser, out->hosts[out->host_count++], parser->words[1]);
}

static int split_port(const struct vtb_topology *topology, const char *text, uint32_t *host, uint32_t *number) {
    const char *colon = strchr(text, ':');
    char name[VTB_NAME];
    if (!colon || (size_t) (colon - text) >= sizeof name || strncmp(colon, ":en", 3)) {
        return -1;
    }
    memcpy(name, text, (size_t) (colon - text));
    name[colon - text] = 0;
    int index = vtb_topology_host(topology, name);
    if (index < 0 || parse_u32(colon + 3, 999, number)) {
        return -1;
    }
    *host = (uint32_t) index;
    return 0;
}

/* Finds the port or makes it; its default address is in 10.64.0.0/10, unique by host and number. */
static int port_of(struct parser *parser, const char *text) {
    struct vtb_topology *out = parser->out;
    uint32_t host;
    uint32_t number;
    if (split_port(out, text, &host, &number)) {
        return fail(parser, "HOST:enX with a host named before expected", text);
    }
    int index = vtb_topology_port(out, text);
    if (index >= 0) {
        return index;
    }
    if (out->port_count == VTB_MAX_PORTS) {
        return fail(parser, "too many ports", NULL);
    }
    out->ports[out->port_count] = (struct vtb_port_spec){
        .host = host,
        .number = number,
        .ipv4 = 0x0a400000u + (host << 16) + number + 1,
        .cable = -1,
    };
    return (int) out->port_count++;
}

static int on_port(struct parser *parser) {
    if (parser->count != 2 && parser->count != 4) {
        return fail(parser, "usage: port HOST:enX [ipv4 A.B.C.D]", NULL);
    }
    int index = port_of(parser, parser->words[1]);
    if (index < 0) {
        return -1;
    }
    if (parser->count == 4) {
        struct in_addr address;
        if (strcmp(parser->words[2], "ipv4") || inet_pton(AF_INET, parser->words[3], &address) != 1) {
            return fail(parser, "usage: port HOST:enX [ipv4 A.B.C.D]", NULL);
        }
        parser->out->ports[index].ipv4 = ntohl(address.s_addr);
    }
    return 0;
}

static int on_cable(struct parser *parser) {
    struct vtb_topology *out = parser->out;
    if (parser->count != 4 && !(parser->count == 6 && !strcmp(parser->words[4], "gbps"))) {
        return fail(parser, "usage: cable NAME HOST:enX HOST:enY [gbps N]", NULL);
    }
    if (out->cable_count == VTB_MAX_CABLES) {
        return fail(parser, "too many cables", NULL);
    }
    if (vtb_topology_cable(out, parser->words[1]) >= 0) {
        return fail(parser, "cable named twice", parser->words[1]);
    }
    struct vtb_cable_spec *cable = &out->cables[out->cable_count];
    cable->gbps = 80;
    if (copy_name(parser, cable->name, parser->words[1])) {
        return -1;
    }
    for (int end = 0; end < 2; end++) {
        int index = port_of(parser, parser->words[2 + end]);
        if (index < 0) {
            return -1;
        }
        if (out->ports[index].cable >= 0) {
            return fail(parser, "port has a cable already", parser->words[2 + end]);
        }
        out->ports[index].cable = (int32_t) out->cable_count;
        out->ports[index].end = end;
        cable->port[end] = (uint32_t) index;
    }
    if (parser->count == 6) {
        char *end;
        cable->gbps = strtod(parser->words[5], &end);
        if (*end || !(cable->gbps > 0) || cable->gbps > 1e6) {
            return fail(parser, "bad speed", parser->words[5]);
        }
    }
    out->cable_count++;
    return 0;
}

static int on_state(struct parser *parser) {
    if (parser->count != 2 || strlen(parser->words[1]) >= VTB_PATH - 16) {
        return fail(parser, "usage: state FOLDER", NULL);
    }
    strcpy(parser->out->state, parser->words[1]);
    return 0;
}

static int on_line(struct parser *parser) {
    static const struct { const char *word; int (*handle)(struct parser *); } statements[] = {
        {"profile", on_rules}, {"os", on_rules},     {"mode", on_rules},   {"option", on_option},
        {"host", on_host},     {"port", on_port},    {"cable", on_cable},  {"state", on_state},
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        if (!strcmp(parser->words[0], statements[i].word)) {
            return statements[i].handle(parser);
        }
    }
    return fail(parser, "unknown statement", parser->words[0]);
}

static uint64_t hash_line(uint64_t hash, const char *line) {
    for (; *line; line++) {
        hash = (hash ^ (uint8_t) *line) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static int parse(struct parser *parser, FILE *file) {
    char line[MAX_LINE];
    while (fgets(line, sizeof line, file)) {
        parser->line++;
        if (!strchr(line, '\n') && !feof(file)) {
            return fail(parser, "line too long", NULL);
        }
        parser->out->hash = hash_line(parser->out->hash, line);
        line[strcspn(line, "#\n")] = 0;
        parser->count = 0;
        char *rest = line;
        for (char *word; (word = strtok_r(rest, " \t\r", &rest));) {
            if (parser->count == MAX_WORDS) {
                return fail(parser, "too many words", NULL);
            }
            parser->words[parser->count++] = word;
        }
        if (parser->count && on_line(parser)) {
            return -1;
        }
    }
    return 0;
}

int vtb_topology_read(const char *path, struct vtb_topology *out) {
    FILE *file = fopen(path, "re");
    if (!file) {
        fprintf(stderr, "vtb: %s: %s\n", path, strerror(errno));
        return -1;
    }
    memset(out, 0, sizeof *out);
    out->hash = UINT64_C(0xcbf29ce484222325);
    apply_profile_apple(&out->rules);
    struct parser parser = {.out = out, .path = path};
    int rc = parse(&parser, file);
    fclose(file);
    if (!rc && !out->state[0]
            && snprintf(out->state, sizeof out->state, "%s.state", path) >= (int) sizeof out->state) {
        rc = fail(&parser, "path too long", NULL);
    }
    return rc;
}

int vtb_topology_host(const struct vtb_topology *topology, const char *name) {
    for (uint32_t i = 0; i < topology->host_count; i++) {
        if (!strcmp(topology->hosts[i], name)) {
            return (int) i;
        }
    }
    return -1;
}

int vtb_topology_cable(const struct vtb_topology *topology, const char *name) {
    for (uint32_t i = 0; i < topology->cable_count; i++) {
        if (!strcmp(topology->cables[i].name, name)) {
            return (int) i;
        }
    }
    return -1;
}

int vtb_topology_port(const struct vtb_topology *topology, const char *text) {
    uint32_t host;
    uint32_t number;
    if (split_port(topology, text, &host, &number)) {
        return -1;
    }
    for (uint32_t i = 0; i < topology->port_count; i++) {
        if (topology->ports[i].host == host && topology->ports[i].number == number) {
            return (int) i;
        }
    }
    return -1;
}
