package io.boltshuffle.rdma.memory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Names for slabs that no other test of the machine uses. */
final class TestSlabs {

    private static final long LARGEST_BYTES = 48L << 20;
    private static final AtomicInteger NEXT = new AtomicInteger();

    private TestSlabs() {}

    static SlabLocation location(SlabLocation.Kind kind) {
        RoomForSlabs.require(LARGEST_BYTES);
        String name = "bolt-t-" + ProcessHandle.current().pid() + "-" + NEXT.incrementAndGet();
        return kind == SlabLocation.Kind.FILE
                ? SlabLocation.file(Path.of("/dev/shm", name))
                : SlabLocation.posixSharedMemory(name);
    }

    /** A slab of any size that takes memory only where it is written: for what is about addresses. */
    static Slab createSparse(long bytes) {
        SlabLocation location = location(SlabLocation.Kind.FILE);
        long mappedBytes = bytes + Slab.PAGE_BYTES;
        try {
            try (RandomAccessFile file = new RandomAccessFile(location.name(), "rw")) {
                file.setLength(mappedBytes);
            }
            int descriptor = NativeMapping.openFile(location.name(), NativeMapping.READ_WRITE);
            SharedMapping mapping = SharedMapping.map(descriptor, mappedBytes, NativeMapping.READ_WRITE);
            NativeMapping.closeDescriptor(descriptor);
            return Slab.over(mapping, new SlabDescriptor(location, bytes, 1, 2), null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Slab create(long bytes) {
        try {
            return Slab.create(location(SlabLocation.Kind.FILE), bytes);
        } catch (SlabException e) {
            throw new AssertionError(e);
        }
    }
}
