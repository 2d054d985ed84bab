package io.boltshuffle.agent.fetch;

import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import java.util.List;

/**
 * Gets what a fetch brings. Any number of {@link #onBlocks} and {@link #onBlockFailures}, the slices of a block in
 * order, then exactly one of {@link #onDone} and {@link #onFailed}, unless the receiver calls the fetch off. Called on
 * the agent's loop.
 */
public interface FetchReceiver {

    /**
     * Returns whether the receiver still wants its blocks. If not, a fetch that has not begun never begins, and the
     * receiver hears nothing of it.
     */
    boolean isWanted();

    /**
     * The fetch waits for first contact with its host.
     *
     * @param cancel takes it out of the queue at once, unless it left that before
     */
    default void onWaiting(Runnable cancel) {
        // A receiver that cannot go before its fetch has no use for it.
    }

    /**
     * The fetch begins.
     *
     * @param cancel calls it off at once; the receiver hears nothing more of it
     */
    void onStarted(Runnable cancel);

    /** Verified bytes, back to back from the start of the lease, which is the receiver's from now on. */
    void onBlocks(Lease lease, List<BlockSlice> slices);

    /** These blocks, and these only, will not come. */
    void onBlockFailures(List<BlockFailure> failures, String detail);

    void onDone();

    /** The fetch failed; blocks that were not answered before will not come. */
    void onFailed(FailureReason reason, String detail);
}
