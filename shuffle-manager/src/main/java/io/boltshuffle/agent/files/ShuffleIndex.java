package io.boltshuffle.agent.files;

import io.boltshuffle.wire.BlockRange;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The open index of a map output: a long for the offset of each reduce partition, and one for the end. Its size
 * says nothing of the output's size and has no limit, so callers of {@link #whole} look at {@link #bytes} first.
 *
 * <p><b>Threads:</b> confined to one reader.
 */
final class ShuffleIndex implements Closeable {

    private final FileChannel channel;
    private final OutputFile file;
    private final long bytes;
    private final LongConsumer onRead;

    private ShuffleIndex(FileChannel channel, OutputFile file, LongConsumer onRead) throws IOException {
        this.channel = channel;
        this.file = file;
        this.bytes = channel.size();
        this.onRead = onRead;
    }

    /**
     * @param file that it is of
     * @param onRead told how many bytes each read takes
     */
    static ShuffleIndex open(Path index, OutputFile file, LongConsumer onRead) throws IOException {
        FileChannel channel = FileChannel.open(index, StandardOpenOption.READ);
        try {
            return new ShuffleIndex(channel, file, onRead);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    long bytes() {
        return bytes;
    }

    /**
     * Returns where the block lies; null if the index does not reach so far. The offsets in the index are not checked.
     */
    @Nullable FileRange range(BlockRange block) throws IOException {
        if (block.endReduce() >= bytes / Long.BYTES) {
            return null;
        }
        return file.between(offset(block.startReduce()), offset(block.endReduce()));
    }

    private long offset(int partition) throws IOException {
        return read((long) Long.BYTES * partition, Long.BYTES).getLong();
    }

    /** Reads all of it, which takes as much memory. */
    MapOutput whole() throws IOException {
        return new MapOutput(file, read(0, Math.toIntExact(bytes)).asLongBuffer());
    }

    private ByteBuffer read(long from, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            if (channel.read(into, from + into.position()) < 0) {
                throw new EOFException("its index became shorter while it was read");
            }
        }
        onRead.accept(length);
        return into.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
