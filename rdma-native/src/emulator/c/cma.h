/* Layer 1, base. Cross-memory attach: the system's own copies between this process's memory and another's. */
#ifndef VTB_CMA_H
#define VTB_CMA_H

#include "transfer.h"

#include <stdbool.h>
#include <sys/types.h>

/* Whether it works here. */
bool vtb_cma_works(void);

/* Lets other processes of this user reach this one where the kernel forbids it by default (Yama). */
void vtb_cma_allow(void);

/* Copies all of it. *moved is what arrived before a fault. */
enum vtb_wire_result vtb_cma_move(pid_t pid, const struct vtb_transfer *transfer, bool write, size_t *moved);

#endif
