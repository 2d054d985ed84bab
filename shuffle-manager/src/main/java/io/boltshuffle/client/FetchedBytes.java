package io.boltshuffle.client;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that arrived: a slice of a lease of the agent's slab, or memory of this process where they were copied out.
 *
 * <p><b>Ownership:</b> whoever holds it calls {@link #release} when nothing reads the bytes any more; twice is
 * harmless. One that is dropped instead is released when the garbage collector finds it and all others of its lease,
 * and counted as forgotten.
 *
 * <p><b>Threads:</b> any.
 */
public final class FetchedBytes {

    private final ByteBuffer view;
    private final boolean wantedBack;
    private final @Nullable SlabLease lease;
    private final int slice;

    private FetchedBytes(ByteBuffer view, boolean wantedBack, @Nullable SlabLease lease, int slice) {
        this.view = view.isReadOnly() ? view : view.asReadOnlyBuffer();
        this.wantedBack = wantedBack;
        this.lease = lease;
        this.slice = slice;
    }

    /**
     * A slice of a lease.
     *
     * @param view the bytes; this object's from now on
     * @param slice its number in the lease
     */
    static FetchedBytes inSlab(ByteBuffer view, boolean wantedBack, SlabLease lease, int slice) {
        return new FetchedBytes(view, wantedBack, lease, slice);
    }

    /** Bytes on the heap, which the garbage collector takes care of. */
    static FetchedBytes copied(ByteBuffer view) {
        return new FetchedBytes(view, /* wantedBack= */ false, null, 0);
    }

    /** A read-only buffer of its own position over all the bytes. Not to be read after the release. */
    public ByteBuffer buffer() {
        return view.duplicate();
    }

    /** True if the agent is short of memory: copy the bytes rather than hold them. */
    public boolean isWantedBack() {
        return wantedBack;
    }

    public int size() {
        return view.remaining();
    }

    public void release() {
        if (lease != null) {
            lease.release(slice);
        }
    }
}
