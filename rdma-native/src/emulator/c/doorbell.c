#include "doorbell.h"

#include "futex.h"

void vtb_doorbell_ring(struct vtb_user *user) {
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&user->sleeping, memory_order_relaxed)) {
        atomic_fetch_add(&user->doorbell, 1);
        vtb_futex_wake(&user->doorbell);
    }
}

void vtb_doorbell_ring_all(struct vtb_device_state *device) {
    for (uint32_t i = 0; i < VTB_USERS; i++) {
        vtb_doorbell_ring(&device->users[i]);
    }
}
