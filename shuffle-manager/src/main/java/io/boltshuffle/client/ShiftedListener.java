package io.boltshuffle.client;

import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;

/**
 * Receives a later part of a request that was too long for one message, and passes it on with the indexes of the
 * request.
 */
record ShiftedListener(FetchListener listener, int firstBlock) implements FetchListener {

    @Override
    public void onSlice(BlockSlice slice, FetchedBytes bytes) {
        listener.onSlice(slice.ofBlock(firstBlock + slice.blockIndex()), bytes);
    }

    @Override
    public void onFailed(int blockIndex, FailureReason reason, String detail) {
        listener.onFailed(firstBlock + blockIndex, reason, detail);
    }
}
