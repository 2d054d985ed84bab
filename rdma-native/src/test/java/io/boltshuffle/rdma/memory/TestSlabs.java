package io.boltshuffle.rdma.memory;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Names for slabs that no other test of the machine uses. */
final class TestSlabs {

    private static final AtomicInteger NEXT = new AtomicInteger();

    private TestSlabs() {}

    static SlabLocation location(SlabLocation.Kind kind) {
        String name = "bolt-t-" + ProcessHandle.current().pid() + "-" + NEXT.incrementAndGet();
        return kind == SlabLocation.Kind.FILE
                ? SlabLocation.file(Path.of("/dev/shm", name))
                : SlabLocation.posixSharedMemory(name);
    }

    static Slab create(long bytes) {
        try {
            return Slab.create(location(SlabLocation.Kind.FILE), bytes);
        } catch (SlabException e) {
            throw new AssertionError(e);
        }
    }
}
