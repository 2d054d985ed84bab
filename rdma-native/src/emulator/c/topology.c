#include "topology.h"

#include "number.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WORDS = 12, MAX_LINE = 2048 };
static const uint64_t MAX_RATE = UINT64_C(1000000000000);

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

static int on_option(struct parser *parser) {
    if (parser->count != 3) {
        return fail(parser, "usage: option KEY VALUE", NULL);
    }
    parser->options_seen = true;
    switch (vtb_rules_option(&parser->out->rules, parser->words[1], parser->words[2])) {
        case VTB_OPTION_UNKNOWN:
            return fail(parser, "no such option", parser->words[1]);
        case VTB_OPTION_BAD_VALUE:
            return fail(parser, "bad value", parser->words[2]);
        case VTB_OPTION_SET:
            break;
    }
    return 0;
}

/* Each rewrites a part of the rules, so they stand before the options. */
static int on_preset(struct parser *parser) {
    if (parser->count != 2) {
        return fail(parser, "one value expected after", parser->words[0]);
    }
    if (parser->options_seen) {
        return fail(parser, "must stand before the first option", parser->words[0]);
    }
    if (!vtb_rules_preset(&parser->out->rules, parser->words[0], parser->words[1])) {
        return fail(parser, "bad value", parser->words[1]);
    }
    return 0;
}

/* Statistics show names as they are: none may end a string of JSON. */
static int copy_name(struct parser *parser, char *place, const char *name) {
    if (strlen(name) >= VTB_NAME) {
        return fail(parser, "name too long", name);
    }
    for (const char *at = name; *at; at++) {
        if (*at <= ' ' || *at > '~' || strchr(":\"\\", *at)) {
            return fail(parser, "name with a colon, a quote, a backslash or no ASCII", name);
        }
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

static const char prefix_of_profile[] = "en";
static const char prefix_of_other_provider[] = "mcrdma";

const char *vtb_port_prefix(const struct vtb_port_spec *port) {
    return port->other_provider ? prefix_of_other_provider : prefix_of_profile;
}

/* Sets host, number and provider of a port that is named so. */
static int split_port(const struct vtb_topology *topology, const char *text, struct vtb_port_spec *port) {
    const char *colon = strchr(text, ':');
    char name[VTB_NAME];
    if (!colon || (size_t) (colon - text) >= sizeof name) {
        return -1;
    }
    port->other_provider = !strncmp(colon + 1, prefix_of_other_provider, strlen(prefix_of_other_provider));
    const char *prefix = vtb_port_prefix(port);
    if (strncmp(colon + 1, prefix, strlen(prefix))) {
        return -1;
    }
    memcpy(name, text, (size_t) (colon - text));
    name[colon - text] = 0;
    int index = vtb_topology_host(topology, name);
    uint64_t value;
    if (index < 0 || !vtb_parse_number(colon + 1 + strlen(prefix), 999, &value)) {
        return -1;
    }
    port->number = (uint32_t) value;
    port->host = (uint32_t) index;
    return 0;
}

/* Finds the port or makes it; its default address is in 10.64.0.0/10, unique by host, provider and number. */
static int port_of(struct parser *parser, const char *text) {
    struct vtb_topology *out = parser->out;
    struct vtb_port_spec port = {.cable = -1};
    if (split_port(out, text, &port)) {
        return fail(parser, "HOST:enX with a host named before expected", text);
    }
    int index = vtb_topology_port(out, text);
    if (index >= 0) {
        return index;
    }
    if (out->port_count == VTB_MAX_PORTS) {
        return fail(parser, "too many ports", NULL);
    }
    port.ipv4 = 0x0a400000u + (port.host << 16) + (port.other_provider ? 0x8000u : 0) + port.number + 1;
    out->ports[out->port_count] = port;
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

/* What may follow the ends of a cable, in pairs of a word and a number. */
static int on_cable_speed(struct parser *parser, struct vtb_cable_spec *cable) {
    cable->gbps = 80;
    for (int i = 4; i < parser->count; i += 2) {
        const char *word = parser->words[i];
        const char *value = parser->words[i + 1];
        bool good;
        if (!strcmp(word, "gbps")) {
            good = vtb_parse_fraction(value, 1e6, &cable->gbps) && cable->gbps > 0;
        } else if (!strcmp(word, "bytes_per_second")) {
            good = vtb_parse_number(value, MAX_RATE, &cable->bytes_per_second) && cable->bytes_per_second > 0;
        } else {
            return fail(parser, "gbps or bytes_per_second expected", word);
        }
        if (!good) {
            return fail(parser, "bad speed", value);
        }
    }
    return 0;
}

static int on_cable(struct parser *parser) {
    struct vtb_topology *out = parser->out;
    if (parser->count != 4 && parser->count != 6 && parser->count != 8) {
        return fail(parser, "usage: cable NAME HOST:enX HOST:enY [gbps N] [bytes_per_second N]", NULL);
    }
    if (out->cable_count == VTB_MAX_CABLES) {
        return fail(parser, "too many cables", NULL);
    }
    if (vtb_topology_cable(out, parser->words[1]) >= 0) {
        return fail(parser, "cable named twice", parser->words[1]);
    }
    struct vtb_cable_spec *cable = &out->cables[out->cable_count];
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
    if (out->ports[cable->port[0]].other_provider != out->ports[cable->port[1]].other_provider) {
        return fail(parser, "a cable joins two ports of one provider", cable->name);
    }
    if (on_cable_speed(parser, cable)) {
        return -1;
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
        {"profile", on_preset}, {"os", on_preset},   {"mode", on_preset},  {"option", on_option},
        {"host", on_host},      {"port", on_port},   {"cable", on_cable},  {"state", on_state},
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
    vtb_rules_default(&out->rules);
    vtb_rules_other_provider(&out->other_provider_rules);
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

const struct vtb_rules *vtb_topology_rules(const struct vtb_topology *topology, uint32_t port) {
    return topology->ports[port].other_provider ? &topology->other_provider_rules : &topology->rules;
}

int vtb_topology_port(const struct vtb_topology *topology, const char *text) {
    struct vtb_port_spec named;
    if (split_port(topology, text, &named)) {
        return -1;
    }
    for (uint32_t i = 0; i < topology->port_count; i++) {
        const struct vtb_port_spec *port = &topology->ports[i];
        if (port->host == named.host && port->number == named.number && port->other_provider == named.other_provider) {
            return (int) i;
        }
    }
    return -1;
}
