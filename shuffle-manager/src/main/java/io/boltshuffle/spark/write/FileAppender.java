package io.boltshuffle.spark.write;

import io.boltshuffle.wire.OutputLayout;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file from its beginning to its end through a buffer, and measures how long that takes. In place of the
 * buffer it can be given memory for all of the file, in which the bytes stay.
 *
 * <p><b>Ownership:</b> owns the open file, not its name: closing deletes nothing.
 */
final class FileAppender implements Closeable {
    /** Smaller pieces of other files are read into the buffer instead of being transferred by a call of their own. */
    private static final int TRANSFER_BYTES = 64 << 10;

    private final FileChannel channel;
    private final byte[] buffer;
    private final boolean syncs;
    private int buffered;
    private long written;
    private long nanos;
    private @Nullable ByteBuffer memory; // has all that was appended
    private OutputLayout layout = OutputLayout.PACKED;
    private int laidFrom; // where in memory the bytes begin that are in neither the file nor one of these pieces
    private final List<ByteBuffer> laidPieces = new ArrayList<>();

    /**
     * Creates the appender.
     *
     * @param channel a channel of an empty file, owned by this object from now on
     * @param syncs whether to end only when the bytes are on the disk
     */
    FileAppender(FileChannel channel, int bufferBytes, boolean syncs) {
        this.channel = channel;
        this.buffer = new byte[Math.max(bufferBytes, TRANSFER_BYTES)];
        this.syncs = syncs;
    }

    /** Creates a file, or empties it. */
    static FileChannel open(File file) throws IOException {
        return FileChannel.open(
                file.toPath(),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    /**
     * Lays the bytes in this memory, too, as long as they fit. To be called before anything is appended.
     *
     * @param all in native memory
     * @param inLayout where partitions are to lie there; in the file they lie back to back
     */
    void layIn(ByteBuffer all, OutputLayout inLayout) {
        memory = all;
        layout = inLayout;
        laidFrom = all.position();
    }

    /** What follows belongs to the next partition. */
    void beginPartition() throws IOException {
        ByteBuffer laid = memory;
        if (laid == null) {
            return;
        }
        long start = layout.start(laid.position());
        if (start > laid.limit()) {
            leaveMemory();
        } else if (start > laid.position()) {
            endPiece(laid);
            laid.position((int) start);
            laidFrom = (int) start;
        }
    }

    private void endPiece(ByteBuffer laid) {
        if (laid.position() > laidFrom) {
            laidPieces.add(laid.slice(laidFrom, laid.position() - laidFrom));
            laidFrom = laid.position();
        }
    }

    /** Whether all that was appended lies in the memory that was given. */
    boolean isInMemory() {
        return memory != null;
    }

    void append(byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer laid = memory;
        if (laid != null && length <= laid.remaining()) {
            laid.put(bytes, offset, length);
            addLaid(length);
            return;
        }
        leaveMemory();
        if (length > buffer.length - buffered) {
            flush();
            if (length >= buffer.length) {
                write(ByteBuffer.wrap(bytes, offset, length));
                return;
            }
        }
        System.arraycopy(bytes, offset, buffer, buffered, length);
        buffered += length;
    }

    /**
     * Appends a piece of another file.
     *
     * @param transfer whether the operating system may copy it (Spark's {@code spark.file.transferTo})
     */
    void append(FileChannel source, long offset, long length, boolean transfer) throws IOException {
        long start = System.nanoTime();
        long before = nanos;
        ByteBuffer laid = memory;
        if (laid != null && length <= laid.remaining()) {
            copyToMemory(source, offset, (int) length, laid);
            nanos = before + System.nanoTime() - start;
            return;
        }
        leaveMemory();
        if (transfer && length >= TRANSFER_BYTES) {
            flush();
            long done = 0;
            while (done < length) {
                long moved = source.transferTo(offset + done, length - done, channel);
                require(moved > 0, "%d bytes at %d were not there to be transferred", length - done, offset + done);
                done += moved;
            }
            written += length;
        } else {
            copy(source, offset, length);
        }
        nanos = before + System.nanoTime() - start;
    }

    private void copyToMemory(FileChannel source, long offset, int length, ByteBuffer laid) throws IOException {
        ByteBuffer into = laid.slice(laid.position(), length);
        while (into.hasRemaining()) {
            int read = source.read(into, offset + into.position());
            require(read > 0, "%d bytes at %d were not there to be read", into.remaining(), offset + into.position());
        }
        laid.position(laid.position() + length);
        addLaid(length);
    }

    private void addLaid(int length) throws IOException {
        buffered += length;
        if (buffered >= buffer.length) {
            flush();
        }
    }

    /** The output is larger than its memory. */
    private void leaveMemory() throws IOException {
        if (memory != null) {
            flush();
            memory = null;
        }
    }

    private void copy(FileChannel source, long offset, long length) throws IOException {
        long done = 0;
        while (done < length) {
            if (buffered == buffer.length) {
                flush();
            }
            int room = (int) Math.min(length - done, buffer.length - buffered);
            int read = source.read(ByteBuffer.wrap(buffer, buffered, room), offset + done);
            require(read > 0, "%d bytes at %d were not there to be read", length - done, offset + done);
            buffered += read;
            done += read;
        }
    }

    /** Returns how many bytes were appended. */
    long position() {
        return written + buffered;
    }

    /** Writes the buffer out, so that the file has everything that was appended. */
    void flush() throws IOException {
        ByteBuffer laid = memory;
        if (laid == null) {
            write(ByteBuffer.wrap(buffer, 0, buffered));
        } else {
            endPiece(laid);
            write(laidPieces.toArray(ByteBuffer[]::new));
            laidPieces.clear();
        }
        buffered = 0;
    }

    /** Returns the channel of the file, which must be flushed before it is read. */
    FileChannel channel() {
        return channel;
    }

    /** Returns the time spent with the file in nanoseconds. */
    long nanos() {
        return nanos;
    }

    /**
     * Ends the file.
     *
     * @throws IOException also if the file is not as long as what was written to it
     */
    void finish() throws IOException {
        flush();
        long size = channel.size();
        require(size == written, "the file has %d bytes, though %d were written", size, written);
        if (syncs) {
            long start = System.nanoTime();
            channel.force(true);
            nanos += System.nanoTime() - start;
        }
    }

    private void write(ByteBuffer... pieces) throws IOException {
        long start = System.nanoTime();
        long length = 0;
        for (ByteBuffer piece : pieces) {
            length += piece.remaining();
        }
        int next = 0;
        while (next < pieces.length) {
            if (!pieces[next].hasRemaining()) {
                next++;
            } else if (next == pieces.length - 1) {
                channel.write(pieces[next]);
            } else {
                channel.write(pieces, next, pieces.length - next);
            }
        }
        written += length;
        nanos += System.nanoTime() - start;
    }

    private static void require(boolean holds, String complaint, long first, long second) throws IOException {
        if (!holds) {
            throw new IOException("map output: " + String.format(complaint, first, second));
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
