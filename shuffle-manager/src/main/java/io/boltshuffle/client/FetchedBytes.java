package io.boltshuffle.client;

import io.boltshuffle.wire.BlockSlice;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Holds bytes that arrived: a slice of a lease of the agent's slab, or a copy in this process's memory.
 *
 * <p><b>Ownership:</b> the holder calls {@link #release} when it reads the bytes no more; a second call has no effect.
 * If a holder drops this object instead, the garbage collector releases it together with all other slices of its lease,
 * and the client counts it as forgotten.
 *
 * <p><b>Threads:</b> any.
 */
public final class FetchedBytes {

    private final Arrival arrival;
    private final int offset;
    private final int bytes;
    private final int number;

    private FetchedBytes(Arrival arrival, Cut cut) {
        this.arrival = arrival;
        this.offset = cut.position;
        this.bytes = cut.bytes;
        this.number = cut.number;
    }

    /**
     * Tells what arrived together.
     *
     * @param memory all of it, read-only, from its first byte on
     * @param wantedBack whether the agent is short of memory
     * @param lease null for a copy, which needs no release
     */
    record Arrival(
            ByteBuffer memory, boolean wantedBack, @Nullable SlabLease lease) {
        static Arrival inSlab(ByteBuffer memory, boolean wantedBack, SlabLease lease) {
            return new Arrival(memory.asReadOnlyBuffer(), wantedBack, lease);
        }

        static Arrival copied(ByteBuffer memory) {
            return new Arrival(memory.asReadOnlyBuffer(), /* wantedBack= */ false, null);
        }
    }

    /**
     * Cuts what arrived into its slices, in their order. Slices of a lease are numbered from 0.
     *
     * <p><b>Threads:</b> confined to one.
     */
    static final class Cut {
        private final Arrival arrival;
        private int position;
        private int bytes;
        private int number = -1;

        Cut(Arrival arrival) {
            this.arrival = arrival;
        }

        /** Returns the next slice, which lies behind the one before it. */
        FetchedBytes next(BlockSlice slice) {
            position += bytes;
            bytes = (int) slice.bytes();
            number++;
            return new FetchedBytes(arrival, this);
        }
    }

    /**
     * Returns a read-only buffer over all the bytes, with a position of its own. It must not be read after the release.
     */
    public ByteBuffer buffer() {
        return arrival.memory().slice(offset, bytes);
    }

    /** Returns true if the agent is short of memory, so that the holder should copy the bytes and release them. */
    public boolean isWantedBack() {
        return arrival.wantedBack();
    }

    public int size() {
        return bytes;
    }

    public void release() {
        SlabLease lease = arrival.lease();
        if (lease != null) {
            lease.release(number);
        }
    }
}
