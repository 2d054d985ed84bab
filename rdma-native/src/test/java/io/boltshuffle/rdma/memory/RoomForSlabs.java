package io.boltshuffle.rdma.memory;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Skips tests on machines with too little shared memory for their slabs, or those of their agents, as containers often
 * have.
 */
public final class RoomForSlabs {
    private static final File SHARED_MEMORY = new File("/dev/shm");
    private static final Path LOCK = Path.of("target", "room-for-slabs.lock");
    /** Where less than so many times the room is left, another JVM of this build might take it at the same time. */
    private static final int MARGIN = 8;

    private static final Duration UNMAPPED_IN_TIME = Duration.ofSeconds(3);
    /** The least number of bytes for which a collection made no room; a later one will not, either. */
    private static final AtomicLong HOPELESS_BYTES = new AtomicLong(Long.MAX_VALUE);

    private RoomForSlabs() {}

    /** Makes a slab if there is room, which no other JVM of this module's tests can take meanwhile. */
    public static Slab create(SlabLocation location, long bytes) throws IOException {
        try (FileChannel file = FileChannel.open(LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            assert lock.isValid();
            require(bytes + Slab.PAGE_BYTES);
            return Slab.create(location, bytes);
        }
    }

    /**
     * Slabs of tests that are over, in this JVM, are unmapped when the garbage collector finds them; here, that is at
     * once.
     */
    public static void require(long bytes) {
        if (NativeMapping.isMac()) {
            return;
        }
        if (SHARED_MEMORY.getTotalSpace() > MARGIN * bytes && SHARED_MEMORY.getUsableSpace() < MARGIN * bytes) {
            System.gc();
        }
        if (SHARED_MEMORY.getTotalSpace() > bytes
                && SHARED_MEMORY.getUsableSpace() < bytes
                && bytes < HOPELESS_BYTES.get()) {
            System.gc();
            try {
                await().atMost(UNMAPPED_IN_TIME).until(() -> SHARED_MEMORY.getUsableSpace() >= bytes);
            } catch (ConditionTimeoutException e) {
                HOPELESS_BYTES.accumulateAndGet(bytes, Math::min);
            }
        }
        assumeTrue(
                SHARED_MEMORY.getUsableSpace() >= bytes,
                () -> SHARED_MEMORY + " has room for " + SHARED_MEMORY.getUsableSpace()
                        + " bytes, and the slabs of a test need " + bytes);
    }
}
