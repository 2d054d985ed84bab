package io.boltshuffle.client;

import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;

/**
 * Receives the results of a fetch. Each block ends once: with its last slice, or with a failure, which may follow some
 * of its slices. A listener that throws as it takes a block's last slice hears of the block's failure, too.
 *
 * <p><b>Threads:</b> called on the client's thread, which carries all fetches, so an implementation must not block. A
 * fetch that is refused at once is answered on the thread that asked.
 */
public interface FetchListener {

    /**
     * Receives verified bytes of a block. The slices of a block come in order, and none of another block between them.
     *
     * @param slice {@link BlockSlice#blockIndex()} counts within the request
     * @param bytes belong to the listener from now on; it must release them
     */
    void onSlice(BlockSlice slice, FetchedBytes bytes);

    /** Tells that the block will not come. The listener must discard slices of it that came before. */
    void onFailed(int blockIndex, FailureReason reason, String detail);
}
