package io.boltshuffle.proof.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Measures the cost of the link's checksum while nothing else runs, with the loop of rdma-native's
 * {@code ChecksumBenchmark}, without JMH's forks.
 */
final class ChecksumAlone {
    /** The range is so large that messages come from memory and not from the core's own cache. */
    private static final int WALKED_BYTES = 64 << 20;

    private static final int WARM_UP_WALKS = 8;
    private static final int WALKS = 64;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ChecksumAlone() {}

    static double secondsPerGigabyte(int messageBytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(WALKED_BYTES);
        CRC32C crc = new CRC32C();
        for (int i = 0; i < WARM_UP_WALKS; i++) {
            walk(memory, messageBytes, crc);
        }
        long before = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < WALKS; i++) {
            walk(memory, messageBytes, crc);
        }
        long nanos = THREADS.getCurrentThreadCpuTime() - before;
        return nanos / ((double) WALKS * WALKED_BYTES);
    }

    private static void walk(ByteBuffer memory, int messageBytes, CRC32C crc) {
        for (int at = 0; at < WALKED_BYTES; at += messageBytes) {
            crc.reset();
            crc.update(memory.limit(at + messageBytes).position(at));
            if (crc.getValue() == 0) {
                throw new AssertionError("no message of zeros has this checksum");
            }
        }
    }
}
