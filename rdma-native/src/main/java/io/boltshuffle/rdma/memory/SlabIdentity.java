package io.boltshuffle.rdma.memory;

import java.nio.ByteBuffer;

/**
 * A page behind the slab's memory that says which slab this is. The next owner uses the same name again, so a late
 * reader must not mistake another slab for the one that it was told of.
 */
final class SlabIdentity {

    private static final long MAGIC = 0x626f6c74_736c6162L; // "boltslab"
    private static final int BYTES = 4 * Long.BYTES;

    private SlabIdentity() {}

    static void write(SharedMapping mapping, SlabDescriptor descriptor) {
        mapping.view(descriptor.bytes(), BYTES)
                .putLong(MAGIC)
                .putLong(descriptor.bytes())
                .putLong(descriptor.identityHigh())
                .putLong(descriptor.identityLow());
    }

    static boolean matches(SharedMapping mapping, SlabDescriptor descriptor) {
        ByteBuffer page = mapping.view(descriptor.bytes(), BYTES);
        return page.getLong() == MAGIC
                && page.getLong() == descriptor.bytes()
                && page.getLong() == descriptor.identityHigh()
                && page.getLong() == descriptor.identityLow();
    }
}
