package io.boltshuffle.client;

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
     * Returns a slice of a lease.
     *
     * @param view the bytes, which belong to this object from now on
     * @param slice its number in the lease
     */
    static FetchedBytes inSlab(ByteBuffer view, boolean wantedBack, SlabLease lease, int slice) {
        return new FetchedBytes(view, wantedBack, lease, slice);
    }

    /** Returns bytes on the heap, which need no release. */
    static FetchedBytes copied(ByteBuffer view) {
        return new FetchedBytes(view, /* wantedBack= */ false, null, 0);
    }

    /**
     * Returns a read-only buffer over all the bytes, with a position of its own. It must not be read after the release.
     */
    public ByteBuffer buffer() {
        return view.duplicate();
    }

    /** Returns true if the agent is short of memory, so that the holder should copy the bytes and release them. */
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
