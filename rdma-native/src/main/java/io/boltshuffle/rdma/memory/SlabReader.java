package io.boltshuffle.rdma.memory;

import java.nio.ByteBuffer;

/**
 * Another process's slab, mapped read-only: what an executor has of its agent's memory.
 *
 * <p><b>Threads:</b> any.
 *
 * <p><b>Ownership:</b> {@link #close()} with views still in use is allowed and defers: no new views are given, and the
 * memory is unmapped once the last view is unreachable. Views stay readable even after the owner is gone.
 */
public final class SlabReader implements AutoCloseable {

    private final SlabDescriptor descriptor;
    private final SharedMapping mapping;

    private SlabReader(SlabDescriptor descriptor, SharedMapping mapping) {
        this.descriptor = descriptor;
        this.mapping = mapping;
    }

    /**
     * Maps the slab that the owner described.
     *
     * @throws SlabException if it is not there, is smaller, or is another slab of the same name
     */
    public static SlabReader map(SlabDescriptor descriptor) throws SlabException {
        Slab.checkBytes(descriptor.bytes());
        long mappedBytes = descriptor.bytes() + Slab.PAGE_BYTES;
        int file = SharedObject.openForReading(descriptor.location(), mappedBytes);
        SharedMapping mapping;
        try {
            mapping = SharedMapping.map(file, mappedBytes, NativeMapping.READ_ONLY);
        } finally {
            NativeMapping.closeDescriptor(file);
        }
        if (!SlabIdentity.matches(mapping, descriptor)) {
            mapping.close();
            throw new SlabException("what is mapped at " + descriptor.location()
                    + " is not the announced slab; its owner was replaced: connect to the new one");
        }
        return new SlabReader(descriptor, mapping);
    }

    public long bytes() {
        return descriptor.bytes();
    }

    /**
     * A read-only buffer over part of the slab.
     *
     * @param bytes at most 1 GiB
     * @throws IndexOutOfBoundsException if the range is not within the slab
     * @throws IllegalStateException after {@link #close()}
     */
    public ByteBuffer view(long offset, int bytes) {
        Slab.checkRange(offset, bytes, descriptor.bytes());
        return mapping.view(offset, bytes);
    }

    @Override
    public void close() {
        mapping.close();
    }
}
