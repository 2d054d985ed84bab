package io.boltshuffle.rdma.memory;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Another process's slab, mapped read-only. An executor maps its agent's memory in this way. Where the owner lends
 * memory to be written, {@link #openForWriting} maps it a second time.
 *
 * <p><b>Threads:</b> any.
 *
 * <p><b>Ownership:</b> {@link #close()} is allowed while views are in use: it gives no new views, and the memory is
 * unmapped once the last view is unreachable. Views stay readable even after the owner has ended.
 */
public final class SlabReader implements AutoCloseable {

    private final SlabDescriptor descriptor;
    private final SharedMapping mapping;
    private volatile @Nullable SharedMapping writable;

    private SlabReader(SlabDescriptor descriptor, SharedMapping mapping) {
        this.descriptor = descriptor;
        this.mapping = mapping;
    }

    /**
     * Maps the slab that the owner described.
     *
     * @throws SlabException if it does not exist, is smaller, or is another slab of the same name
     */
    public static SlabReader map(SlabDescriptor descriptor) throws SlabException {
        return new SlabReader(descriptor, map(descriptor, NativeMapping.READ_ONLY));
    }

    private static SharedMapping map(SlabDescriptor descriptor, int access) throws SlabException {
        Slab.checkBytes(descriptor.bytes());
        long mappedBytes = descriptor.bytes() + Slab.PAGE_BYTES;
        int file = SharedObject.open(descriptor.location(), mappedBytes, access);
        SharedMapping mapping;
        try {
            mapping = SharedMapping.map(file, mappedBytes, access);
        } finally {
            NativeMapping.closeDescriptor(file);
        }
        if (!SlabIdentity.matches(mapping, descriptor)) {
            mapping.close();
            throw new SlabException("what is mapped at " + descriptor.location()
                    + " is not the announced slab; its owner was replaced: connect to the new one");
        }
        return mapping;
    }

    public long bytes() {
        return descriptor.bytes();
    }

    /**
     * Returns a read-only buffer over part of the slab.
     *
     * @param bytes at most 1 GiB
     * @throws IndexOutOfBoundsException if the range is not within the slab
     * @throws IllegalStateException after {@link #close()}
     */
    public ByteBuffer view(long offset, int bytes) {
        Slab.checkRange(offset, bytes, descriptor.bytes());
        return mapping.view(offset, bytes);
    }

    /**
     * Maps the slab for writing, too.
     *
     * @throws SlabException as {@link #map} does
     */
    public void openForWriting() throws SlabException {
        writable = map(descriptor, NativeMapping.READ_WRITE);
    }

    /**
     * Returns a writable buffer over part of the slab. Only what the owner has lent to this process may be written:
     * nothing stops a writer from overwriting bytes of others.
     *
     * @param bytes at most 1 GiB
     * @throws IndexOutOfBoundsException if the range is not within the slab
     * @throws IllegalStateException after {@link #close()}, or before {@link #openForWriting}
     */
    public ByteBuffer writableView(long offset, int bytes) {
        Slab.checkRange(offset, bytes, descriptor.bytes());
        SharedMapping current = writable;
        if (current == null) {
            throw new IllegalStateException("the slab is not mapped for writing");
        }
        return current.view(offset, bytes);
    }

    @Override
    public void close() {
        mapping.close();
        SharedMapping current = writable;
        if (current != null) {
            current.close();
        }
    }
}
