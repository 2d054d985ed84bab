package io.boltshuffle.rdma.verbs;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Zeroed native memory, read and written through a {@link ByteBuffer} in native order.
 *
 * <p><b>Ownership:</b> the code that creates it closes it. After {@link #close()} every access throws instead of
 * touching freed memory. The owner must ensure that the library uses no address of it any more.
 */
final class NativeBlock implements AutoCloseable {

    private static final ByteBuffer CLOSED = ByteBuffer.allocate(0);

    private final Memory memory;
    private final long address;
    private ByteBuffer bytes;

    NativeBlock(int size) {
        memory = new Memory(size);
        memory.clear();
        address = Pointer.nativeValue(memory);
        bytes = memory.getByteBuffer(0, size).order(ByteOrder.nativeOrder());
    }

    ByteBuffer bytes() {
        return bytes;
    }

    /** Returns a pointer for functions of {@link VerbsLibrary}. */
    Pointer pointer() {
        return memory;
    }

    long address() {
        return address;
    }

    @Override
    public void close() {
        bytes = CLOSED;
        memory.close();
    }
}
