package io.boltshuffle.agent.files;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Set;

/**
 * Reads bytes of a file to their place in memory, by the way that is fast there.
 *
 * <p>The kernels of x86 processors copy with {@code REP MOVSB}, which on some of AMD's is up to four times as slow
 * where the destination lies 1 to 31 bytes above the source, both taken within their pages; {@code FileReadBenchmark}
 * shows it, and <a href="https://github.com/microsoft/STL/issues/5658">others met it</a>. Blocks of one size, one read
 * after the other, can all lie so. Such bytes are read into a buffer first that lies half a page away from both, and
 * copied on by instructions that do not mind.
 *
 * <p><b>Threads:</b> any; each that reads has a buffer of its own.
 */
final class StagingRead {

    /** Tells an x86 processor, by its names in the JDK on Linux and on macOS. */
    private static final boolean X86 = Set.of("amd64", "x86_64").contains(System.getProperty("os.arch"));

    private static final int PAGE_BYTES = 4096;
    /** The distances that are slow are below this one. */
    private static final int SLOW_DISTANCE_BYTES = 32;
    /** Stays in the second cache until it is copied on. */
    private static final int BUFFER_BYTES = 256 << 10;

    private static final ThreadLocal<ByteBuffer> BUFFER =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(BUFFER_BYTES + PAGE_BYTES));

    private StagingRead() {}

    /**
     * Fills what is left of {@code into} with the bytes from {@code offset} on.
     *
     * @throws EOFException if the file ends before
     */
    static void fill(FileChannel file, long offset, ByteBuffer into) throws IOException {
        if (!wouldBeSlow(offset, into)) {
            readFully(file, offset, into);
            return;
        }
        ByteBuffer buffer = BUFFER.get();
        int start = startInBuffer(offset, buffer.alignmentOffset(0, PAGE_BYTES));
        long position = offset;
        while (into.hasRemaining()) {
            int bytes = Math.min(BUFFER_BYTES, into.remaining());
            readFully(file, position, buffer.limit(start + bytes).position(start));
            into.put(buffer.position(start));
            position += bytes;
        }
    }

    /**
     * Small ones are not worth the trouble, and what is not in native memory is copied by Java's own buffers anyway.
     */
    private static boolean wouldBeSlow(long offset, ByteBuffer into) {
        return X86
                && into.isDirect()
                && into.remaining() >= PAGE_BYTES
                && isSlow(offset, into.alignmentOffset(into.position(), PAGE_BYTES));
    }

    /**
     * Returns whether the kernel would be slow.
     *
     * @param placeInPage of the destination
     */
    static boolean isSlow(long offset, int placeInPage) {
        int distance = Math.floorMod(placeInPage - offset, PAGE_BYTES);
        return distance > 0 && distance < SLOW_DISTANCE_BYTES;
    }

    /** Half a page away from the bytes in the file, and so as far from their destination but for some bytes. */
    static int startInBuffer(long offset, int placeOfBuffer) {
        return Math.floorMod(offset + PAGE_BYTES / 2 - placeOfBuffer, PAGE_BYTES);
    }

    private static void readFully(FileChannel file, long offset, ByteBuffer into) throws IOException {
        long position = offset;
        while (into.hasRemaining()) {
            int count = file.read(into, position);
            if (count < 0) {
                throw new EOFException("ends at " + position + ", before the end of the block that its index tells");
            }
            position += count;
        }
    }
}
