/* Layer 1, base. Time, and sleeping until a word of shared memory changes. */
#ifndef VTB_FUTEX_H
#define VTB_FUTEX_H

#include <stdatomic.h>
#include <stdint.h>

/* Returns when the word differs from `seen`, on a wake, after the timeout, or for no reason. */
void vtb_futex_wait(_Atomic uint32_t *word, uint32_t seen, uint64_t timeout_nanos);
void vtb_futex_wake(_Atomic uint32_t *word);

uint64_t vtb_now(void);
void vtb_pause_nanos(uint64_t nanos);

static inline void vtb_relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

#endif
