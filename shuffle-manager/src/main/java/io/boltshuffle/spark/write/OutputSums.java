package io.boltshuffle.spark.write;

import io.boltshuffle.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The CRC32C of each {@link WireLimits#SUMMED_BYTES} of each partition, computed as the bytes pass by on their way to
 * the file: the agent that serves them need not read them for it.
 *
 * <p><b>Threads:</b> confined to the task's.
 */
final class OutputSums {

    private final CRC32C crc = new CRC32C();
    private final List<Integer> sums = new ArrayList<>();
    /** How many bytes the sum has so far that is not complete. */
    private int open;

    /** What follows belongs to the next partition. */
    void beginPartition() {
        if (open > 0) {
            endPiece();
        }
    }

    void add(byte[] bytes, int offset, int length) {
        int end = offset + length;
        for (int from = offset; from < end; ) {
            int taken = Math.min(end - from, WireLimits.SUMMED_BYTES - open);
            crc.update(bytes, from, taken);
            from += taken;
            took(taken);
        }
    }

    /** From the buffer's position to its limit. */
    void add(ByteBuffer bytes) {
        int end = bytes.limit();
        while (bytes.position() < end) {
            int taken = Math.min(end - bytes.position(), WireLimits.SUMMED_BYTES - open);
            crc.update(bytes.limit(bytes.position() + taken));
            took(taken);
        }
    }

    private void took(int bytes) {
        open += bytes;
        if (open == WireLimits.SUMMED_BYTES) {
            endPiece();
        }
    }

    private void endPiece() {
        sums.add((int) crc.getValue());
        crc.reset();
        open = 0;
    }

    /** All of them, in the order of the partitions. Nothing may follow. */
    List<Integer> finish() {
        beginPartition();
        return List.copyOf(sums);
    }
}
