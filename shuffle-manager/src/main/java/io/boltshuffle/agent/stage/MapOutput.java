package io.boltshuffle.agent.stage;

import io.boltshuffle.wire.BlockRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Where the blocks of one map output lie in its file, as its index tells: the offset of each reduce partition, and the
 * end.
 *
 * <p><b>Threads:</b> any; nothing changes.
 */
final class MapOutput {

    private final Path file;
    private final @Nullable Object identity;
    private final boolean lasts;
    private final LongBuffer offsets;

    private MapOutput(Path file, @Nullable Object identity, boolean lasts, LongBuffer offsets) {
        this.file = file;
        this.identity = identity;
        this.lasts = lasts;
        this.offsets = offsets;
    }

    /**
     * Reads the whole index. An output is replaced index first, so its file is looked at before: what may be paired
     * wrongly is then a file that is gone.
     *
     * @param lasts whether no other output ever takes the names of this one
     */
    static MapOutput read(Path file, Path index, boolean lasts) throws IOException {
        Object identity = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return new MapOutput(
                file,
                identity,
                lasts,
                ByteBuffer.wrap(Files.readAllBytes(index)).asLongBuffer());
    }

    /** Where the block lies; null if the index does not reach so far. What it tells is not checked. */
    @Nullable FileRange range(BlockRange block) {
        if (block.endReduce() >= offsets.capacity()) {
            return null;
        }
        long offset = offsets.get(block.startReduce());
        return new FileRange(file, identity, lasts, offset, offsets.get(block.endReduce()) - offset);
    }

    /** How much memory it takes, but for some hundred bytes. */
    long bytes() {
        return (long) Long.BYTES * offsets.capacity();
    }
}
