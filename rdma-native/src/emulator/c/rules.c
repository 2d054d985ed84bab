#include "rules.h"

#include "number.h"

#include <string.h>

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

void vtb_rules_default(struct vtb_rules *rules) {
    apply_profile_apple(rules);
}

void vtb_rules_other_provider(struct vtb_rules *rules) {
    apply_profile_linux(rules);
}

bool vtb_rules_preset(struct vtb_rules *rules, const char *key, const char *value) {
    if (!strcmp(key, "profile") && !strcmp(value, "apple")) {
        apply_profile_apple(rules);
    } else if (!strcmp(key, "profile") && !strcmp(value, "linux")) {
        apply_profile_linux(rules);
    } else if (!strcmp(key, "os") && !strcmp(value, "26")) {
        rules->gids = VTB_GIDS_26;
        rules->queue_pairs = 10;
        rules->receive_at_init = false;
    } else if (!strcmp(key, "os") && !strcmp(value, "27")) {
        rules->gids = VTB_GIDS_27;
        rules->queue_pairs = 3;
        rules->receive_at_init = true;
    } else if (!strcmp(key, "mode") && (!strcmp(value, "uc") || !strcmp(value, "rc"))) {
        rules->reliable = !strcmp(value, "rc");
    } else {
        return false;
    }
    return true;
}

static enum vtb_option set_switch(const char *value, bool *place) {
    if (strcmp(value, "on") && strcmp(value, "off")) {
        return VTB_OPTION_BAD_VALUE;
    }
    *place = !strcmp(value, "on");
    return VTB_OPTION_SET;
}

/* The index of the value in a NULL-terminated list. */
static enum vtb_option set_choice(const char *value, const char *const *names, int *place) {
    for (int i = 0; names[i]; i++) {
        if (!strcmp(value, names[i])) {
            *place = i;
            return VTB_OPTION_SET;
        }
    }
    return VTB_OPTION_BAD_VALUE;
}

static enum vtb_option set_switches(struct vtb_rules *rules, const char *key, const char *value) {
    struct { const char *key; bool *place; } switches[] = {
        {"credits", &rules->credits},
        {"receive_at_init", &rules->receive_at_init},
        {"leak_dead", &rules->leak_dead},
        {"leak_failed_rtr", &rules->leak_failed_rtr},
    };
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        if (!strcmp(key, switches[i].key)) {
            return set_switch(value, switches[i].place);
        }
    }
    return VTB_OPTION_UNKNOWN;
}

/* The budgets end where the tables of the shared state do. */
static enum vtb_option set_numbers(struct vtb_rules *rules, const char *key, const char *value) {
    struct { const char *key; uint64_t max; uint32_t *narrow; uint64_t *wide; int32_t *optional; } numbers[] = {
        {"queue_pairs", 64, &rules->queue_pairs, NULL, NULL},
        {"protection_domains", 64, &rules->protection_domains, NULL, NULL},
        {"completion_queues", 256, &rules->completion_queues, NULL, NULL},
        {"memory_regions", 1024, &rules->memory_regions, NULL, NULL},
        {"mr_alignment", 1 << 30, &rules->mr_alignment, NULL, NULL},
        {"max_mr_bytes", UINT64_MAX >> 1, NULL, &rules->max_mr_bytes, NULL},
        {"mr_access", 7, NULL, NULL, &rules->mr_access},
        {"spin_us", 1000000, NULL, NULL, &rules->spin_us},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint64_t number;
        if (strcmp(key, numbers[i].key)) {
            continue;
        }
        if (!vtb_parse_number(value, numbers[i].max, &number)) {
            return VTB_OPTION_BAD_VALUE;
        }
        if (numbers[i].narrow) {
            *numbers[i].narrow = (uint32_t) number;
        } else if (numbers[i].wide) {
            *numbers[i].wide = number;
        } else {
            *numbers[i].optional = (int32_t) number;
        }
        return VTB_OPTION_SET;
    }
    return VTB_OPTION_UNKNOWN;
}

static enum vtb_option set_choices(struct vtb_rules *rules, const char *key, const char *value) {
    static const char *const layouts[] = {"26", "26-ipv4-last", "27", "linux", NULL};
    static const char *const overposts[] = {"refuse", "corrupt", NULL};
    static const char *const copies[] = {"auto", "cma", "bounce", NULL};
    enum vtb_option rc = VTB_OPTION_UNKNOWN;
    int choice = 0;
    if (!strcmp(key, "gid_layout") && (rc = set_choice(value, layouts, &choice)) == VTB_OPTION_SET) {
        rules->gids = (enum vtb_gid_layout) choice;
    } else if (!strcmp(key, "overpost") && (rc = set_choice(value, overposts, &choice)) == VTB_OPTION_SET) {
        rules->overpost = (enum vtb_overpost) choice;
    } else if (!strcmp(key, "copy") && (rc = set_choice(value, copies, &choice)) == VTB_OPTION_SET) {
        rules->copy = (enum vtb_copy) choice;
    }
    return rc;
}

enum vtb_option vtb_rules_option(struct vtb_rules *rules, const char *key, const char *value) {
    enum vtb_option rc = set_switches(rules, key, value);
    if (rc == VTB_OPTION_UNKNOWN) {
        rc = set_numbers(rules, key, value);
    }
    return rc == VTB_OPTION_UNKNOWN ? set_choices(rules, key, value) : rc;
}
