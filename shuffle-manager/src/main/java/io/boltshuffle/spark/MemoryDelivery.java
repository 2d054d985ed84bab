package io.boltshuffle.spark;

import io.boltshuffle.client.FetchListener;
import io.boltshuffle.client.FetchedBytes;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the blocks of one fetch from memory: whole ones where they arrived, those that come in pieces from a buffer into
 * which the pieces are copied.
 *
 * <p><b>Threads:</b> confined to the client's thread.
 */
final class MemoryDelivery implements FetchListener {

    /** The largest array that every JVM can make. */
    private static final long MAX_BLOCK_BYTES = Integer.MAX_VALUE - 8;

    private static final int NONE = -1;

    private final List<String> blockIds;
    private final RdmaTransport.Receiver receiver;
    private int gatheredBlock = NONE;
    private @Nullable ByteBuffer gathered;

    MemoryDelivery(List<String> blockIds, RdmaTransport.Receiver receiver) {
        this.blockIds = blockIds;
        this.receiver = receiver;
    }

    @Override
    public void onSlice(BlockSlice slice, FetchedBytes bytes) {
        if (slice.isWhole()) {
            deliver(slice.blockIndex(), new SlabBuffer(bytes));
            return;
        }
        try {
            gather(slice, bytes.buffer());
        } finally {
            bytes.release();
        }
    }

    @Override
    public void onFailed(int blockIndex, FailureReason reason, String detail) {
        if (blockIndex == gatheredBlock) {
            gatheredBlock = NONE;
            gathered = null;
        }
        handBack(blockIndex, AgentTransport.fallback(reason), detail);
    }

    private void gather(BlockSlice slice, ByteBuffer bytes) {
        if (slice.blockOffset() == 0) {
            gatheredBlock = slice.blockIndex();
            gathered = room(slice);
        }
        ByteBuffer into = gathered;
        if (into == null) {
            return;
        }
        into.put(bytes);
        if (slice.isLast()) {
            gatheredBlock = NONE;
            gathered = null;
            deliver(slice.blockIndex(), new NioManagedBuffer(into.flip()));
        }
    }

    /** Null if there is none; the block is handed back then, and the pieces that still come are dropped. */
    private @Nullable ByteBuffer room(BlockSlice slice) {
        if (slice.blockBytes() <= MAX_BLOCK_BYTES) {
            try {
                return ByteBuffer.allocate((int) slice.blockBytes());
            } catch (OutOfMemoryError e) {
                // As Netty's client does when memory for a block runs out: this block fails, the executor lives.
                handBack(slice.blockIndex(), FallbackReason.TOO_LARGE, e.toString());
                return null;
            }
        }
        handBack(slice.blockIndex(), FallbackReason.TOO_LARGE, slice.blockBytes() + " bytes");
        return null;
    }

    private void deliver(int blockIndex, ManagedBuffer buffer) {
        try {
            receiver.delivered(blockIds.get(blockIndex), buffer);
        } finally {
            buffer.release();
        }
    }

    private void handBack(int blockIndex, FallbackReason reason, String detail) {
        receiver.handedBack(List.of(blockIds.get(blockIndex)), reason, detail);
    }
}
