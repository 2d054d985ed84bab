/* Layer 8, programs. What a fabric has carried and who uses it, as JSON on standard output. */
#ifndef VTB_STATS_H
#define VTB_STATS_H

#include "fabric.h"

void vtb_stats_print(const struct vtb_fabric *fabric);

#endif
