package io.boltshuffle.rdma.verbs;

import com.sun.jna.Library;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The exported functions of completion channels, which Linux has and Apple has not; named and used as those of {@link
 * VerbsLibrary}.
 */
interface VerbsEvents extends Library {

    @Nullable Pointer ibv_create_comp_channel(Pointer context);

    /** Refused while completion queues use the channel. */
    int ibv_destroy_comp_channel(Pointer channel);

    /** Waits for an event. Returns -1 and sets errno on failure. */
    int ibv_get_cq_event(Pointer channel, Pointer completionQueue, Pointer completionQueueContext);

    /** Destroying a queue waits until each of its events was acknowledged. */
    void ibv_ack_cq_events(Pointer completionQueue, int events);
}
