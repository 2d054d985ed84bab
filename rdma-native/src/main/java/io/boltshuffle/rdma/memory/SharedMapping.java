package io.boltshuffle.rdma.memory;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A mapped shared object and the buffers over it.
 *
 * <p><b>Invariant:</b> a buffer never outlives the memory under it. Every view is a slice of a few base buffers. After
 * {@link #close()} the memory is unmapped when the garbage collector finds that no base buffer, hence no view, is left.
 * Raw addresses have no such protection: code that uses them must keep the mapping open.
 *
 * <p><b>Threads:</b> any.
 */
final class SharedMapping implements AutoCloseable {

    /** Largest view: base buffers start every 1 GiB and reach 2 GiB, so that each view of this size lies within one. */
    static final int MAX_VIEW_BYTES = 1 << 30;

    private static final long HUGE_PAGE_BYTES = 2L << 20;
    private static final long MAX_ALIGNMENT_BYTES = 1L << 30;
    private static final Cleaner CLEANER = Cleaner.create();

    private final long address;
    private final long bytes;
    private volatile ByteBuffer @Nullable [] bases;

    private SharedMapping(long address, long bytes, ByteBuffer[] bases) {
        this.address = address;
        this.bytes = bytes;
        this.bases = bases;
    }

    /**
     * Maps the whole object. The address is aligned to the size, from 2 MiB (a huge page) to 1 GiB, so that no aligned
     * piece of up to 1 GiB crosses a 4 GiB-aligned address (docs/verbs-contract.md).
     *
     * @param access {@link NativeMapping#READ_ONLY} or {@link NativeMapping#READ_WRITE}
     */
    static SharedMapping map(int descriptor, long bytes, int access) throws SlabException {
        long wholeSize = Long.highestOneBit(bytes - 1) << 1;
        long alignment = Math.max(HUGE_PAGE_BYTES, Math.min(MAX_ALIGNMENT_BYTES, wholeSize));
        long address = NativeMapping.mapShared(descriptor, bytes, access, alignment);
        NativeMapping.adviseHugePages(address, bytes);
        int count = Math.toIntExact((bytes + MAX_VIEW_BYTES - 1) / MAX_VIEW_BYTES);
        AtomicInteger reachableBases = new AtomicInteger(count);
        ByteBuffer[] bases = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            long start = (long) i * MAX_VIEW_BYTES;
            ByteBuffer base = NativeMapping.bufferAt(address + start, (int) Math.min(Integer.MAX_VALUE, bytes - start));
            CLEANER.register(base, new LastOneUnmaps(reachableBases, address, bytes));
            bases[i] = access == NativeMapping.READ_ONLY ? base.asReadOnlyBuffer() : base;
        }
        return new SharedMapping(address, bytes, bases);
    }

    long address() {
        return address;
    }

    /**
     * Returns a buffer over part of the memory; it is read-only if the mapping is.
     *
     * @throws IndexOutOfBoundsException if the range is not within the mapping
     * @throws IllegalStateException after {@link #close()}
     */
    ByteBuffer view(long offset, int length) {
        if (offset < 0 || length < 0 || offset > bytes - length) {
            throw new IndexOutOfBoundsException("range " + offset + " + " + length + " of a mapping of " + bytes);
        }
        if (length > MAX_VIEW_BYTES) {
            throw new IndexOutOfBoundsException("a view has at most " + MAX_VIEW_BYTES + " bytes, not " + length);
        }
        ByteBuffer[] current = bases;
        if (current == null) {
            throw new IllegalStateException("the mapping is closed");
        }
        int index = (int) Math.min(offset / MAX_VIEW_BYTES, current.length - 1);
        return current[index].slice((int) (offset - (long) index * MAX_VIEW_BYTES), length);
    }

    boolean isOpen() {
        return bases != null;
    }

    /** Gives no more views. The memory is unmapped when the last view is unreachable. */
    @Override
    public void close() {
        bases = null;
    }

    /** The cleaner runs this, so it must not refer to the buffers. */
    private record LastOneUnmaps(AtomicInteger reachableBases, long address, long bytes) implements Runnable {
        @Override
        public void run() {
            if (reachableBases.decrementAndGet() == 0) {
                try {
                    NativeMapping.unmap(address, bytes);
                } catch (SlabException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }
}
