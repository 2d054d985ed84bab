package io.boltshuffle.spark.write;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/**
 * Writes a file from its beginning to its end through a buffer, and measures how long that takes.
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

    /**
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

    void append(byte[] bytes, int offset, int length) throws IOException {
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
        write(ByteBuffer.wrap(buffer, 0, buffered));
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

    /** @throws IOException also if the file is not as long as what was written to it */
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

    private void write(ByteBuffer bytes) throws IOException {
        long start = System.nanoTime();
        written += bytes.remaining();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
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
