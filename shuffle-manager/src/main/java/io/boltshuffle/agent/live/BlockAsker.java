package io.boltshuffle.agent.live;

import io.boltshuffle.wire.FailureReason;

/**
 * Wants one block of an owner. Called on the agent's loop: {@link #onSize}, if the block is there, then exactly one of
 * {@link #onLaid} and {@link #onNotLaid}, unless the question is called off before memory was lent.
 */
public interface BlockAsker {

    /** The owner has the block, keeps it as it is, and needs memory for so many bytes, at least one. */
    void onSize(long bytes);

    /** The block lies in the memory that was lent; the owner touches it no more. */
    void onLaid();

    /** The block will not come. The owner touches no memory that was lent for it. */
    void onNotLaid(FailureReason reason, String detail);
}
