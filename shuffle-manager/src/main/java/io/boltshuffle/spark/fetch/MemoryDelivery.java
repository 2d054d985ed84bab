package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.FetchListener;
import io.boltshuffle.client.FetchedBytes;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the blocks of one fetch from the memory in which they arrived.
 *
 * <p><b>Threads:</b> confined to the client's thread.
 */
final class MemoryDelivery implements FetchListener {

    private static final int NONE = -1;

    private final RdmaTransport.Receiver receiver;
    private int partialIndex = NONE;
    private @Nullable PartialBlock partial;

    MemoryDelivery(RdmaTransport.Receiver receiver) {
        this.receiver = receiver;
    }

    @Override
    public void onSlice(BlockSlice slice, FetchedBytes bytes) {
        if (slice.isWhole() && !bytes.isWantedBack()) {
            deliver(slice.blockIndex(), new SlabBuffer(bytes));
            return;
        }
        if (slice.blockOffset() == 0) {
            partialIndex = slice.blockIndex();
            partial = new PartialBlock(slice.blockBytes());
        }
        PartialBlock block = partial;
        if (block == null) {
            // The block was handed back before.
            bytes.release();
        } else if (isAdded(block, bytes, slice) && slice.isLast()) {
            partialIndex = NONE;
            partial = null;
            deliver(slice.blockIndex(), block.toBuffer());
        }
    }

    /** Adds a piece. Returns false if the block is handed back; its later pieces are dropped. */
    private boolean isAdded(PartialBlock block, FetchedBytes piece, BlockSlice slice) {
        try {
            block.add(piece);
            return true;
        } catch (OutOfMemoryError e) {
            // Netty's client does the same when memory for a block runs out: the block fails, the executor lives.
            forgetPartial();
            receiver.handedBack(slice.blockIndex(), FallbackReason.TOO_LARGE, e.toString());
            return false;
        }
    }

    @Override
    public void onFailed(int blockIndex, FailureReason reason, String detail) {
        if (blockIndex == partialIndex) {
            forgetPartial();
        }
        receiver.handedBack(blockIndex, AgentTransport.fallback(reason), detail);
    }

    private void forgetPartial() {
        if (partial != null) {
            partial.release();
        }
        partialIndex = NONE;
        partial = null;
    }

    private void deliver(int blockIndex, ManagedBuffer buffer) {
        try {
            receiver.delivered(blockIndex, buffer);
        } finally {
            buffer.release();
        }
    }
}
