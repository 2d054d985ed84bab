/* Layer 1, base. The emulator's own threads: how they start, what they are called, and the CPU time they took. */
#ifndef VTB_THREAD_H
#define VTB_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* With all signals blocked: they are the program's, whose handlers expect its own threads. 0 or an errno. */
int vtb_thread_start(pthread_t *thread, void *(*body)(void *), void *argument);

/* Names the calling thread, so that its CPU time can be told apart. */
void vtb_thread_name(const char *name);

/*
 * Asks for the shortest time slice: a woken thread of short slices runs before the pollers that keep all cores busy.
 * Where the kernel does not know this, the thread is merely later.
 */
void vtb_thread_prefer_latency(void);

/* Writes the calling thread's CPU time so far, in nanoseconds. */
void vtb_thread_publish_cpu(_Atomic uint64_t *place);

#endif
