package io.boltshuffle.agent;

import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import java.util.List;

/**
 * Who gets what a fetch brings. Any number of {@link #onBlocks} and {@link #onBlockFailures}, the slices of a block in order,
 * then exactly one of {@link #onDone} and {@link #onFailed}. Called on the agent's loop.
 */
interface FetchReceiver {

    /** Verified bytes, back to back from the start of the lease, which is the receiver's from now on. */
    void onBlocks(Lease lease, List<BlockSlice> slices);

    /** These blocks, and these only, will not come. */
    void onBlockFailures(List<BlockFailure> failures, String detail);

    void onDone();

    /** What was not answered before will not come. */
    void onFailed(FailureReason reason, String detail);
}
