package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.FetchedBytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the pieces of a block that have arrived. They stay in the memory in which they arrived, unless the agent wants
 * its memory back: then they are copied into one buffer on the heap.
 *
 * <p><b>Ownership:</b> owns the pieces until {@link #toBuffer} or {@link #release}.
 *
 * <p><b>Threads:</b> confined to the client's thread.
 */
final class PartialBlock {

    /** The size of the largest array that every JVM can create. */
    private static final long MAX_COPIED_BYTES = Integer.MAX_VALUE - 8;

    private final long blockBytes;
    private final List<FetchedBytes> inPlace = new ArrayList<>();
    private @Nullable ByteBuffer copied;

    PartialBlock(long blockBytes) {
        this.blockBytes = blockBytes;
    }

    /**
     * Takes the next piece.
     *
     * @throws OutOfMemoryError if pieces must be copied and there is no room for the copy; the block then cannot
     * continue
     */
    void add(FetchedBytes piece) {
        inPlace.add(piece);
        if (copied != null || piece.isWantedBack()) {
            ByteBuffer into = copied == null ? room() : copied;
            copied = into;
            inPlace.forEach(held -> into.put(held.buffer()));
            release();
        }
    }

    private ByteBuffer room() {
        if (blockBytes > MAX_COPIED_BYTES) {
            throw new OutOfMemoryError("a block of " + blockBytes + " bytes");
        }
        return ByteBuffer.allocate((int) blockBytes);
    }

    /** Returns the block once its last piece is here. It belongs to the caller from then on. */
    ManagedBuffer toBuffer() {
        return copied == null
                ? new SlabBuffer(inPlace.get(0), List.copyOf(inPlace.subList(1, inPlace.size())))
                : new NioManagedBuffer(copied.flip());
    }

    /** Gives the agent's memory back. */
    void release() {
        inPlace.forEach(FetchedBytes::release);
        inPlace.clear();
    }
}
