package io.boltshuffle.client;

import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;

/**
 * Told what a fetch brings. Each block ends once: by its last slice, or by a failure, which may follow some of its
 * slices.
 *
 * <p><b>Threads:</b> called on the client's thread, which carries all fetches: must not block.
 */
public interface FetchListener {

    /**
     * Verified bytes of a block, its slices in order.
     *
     * @param slice {@link BlockSlice#blockIndex()} counts within the request
     * @param bytes the listener's from now on: it must release them
     */
    void onSlice(BlockSlice slice, FetchedBytes bytes);

    /** The block will not come; slices of it that came mean nothing. */
    void onFailed(int blockIndex, FailureReason reason, String detail);
}
