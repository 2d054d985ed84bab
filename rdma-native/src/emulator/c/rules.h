/* Layer 2, topology. What the virtual devices allow: the profile, os, mode and option statements of a topology. */
#ifndef VTB_RULES_H
#define VTB_RULES_H

#include <stdbool.h>
#include <stdint.h>

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

/* The rules of a topology that says nothing. */
void vtb_rules_default(struct vtb_rules *rules);

/* Those of a device of another provider, which takes no notice of the profile: what "profile linux" says. */
void vtb_rules_other_provider(struct vtb_rules *rules);

/* Applies "profile", "os" or "mode". False: no such value. */
bool vtb_rules_preset(struct vtb_rules *rules, const char *key, const char *value);

enum vtb_option { VTB_OPTION_SET, VTB_OPTION_UNKNOWN, VTB_OPTION_BAD_VALUE };

enum vtb_option vtb_rules_option(struct vtb_rules *rules, const char *key, const char *value);

#endif
