package io.boltshuffle.agent.files;

import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Three blocks of which the middle one does not exist, and nothing after them. No two fit into one window: each that
 * exists takes a pull, and the first comes ahead.
 */
public final class ShuffledBlocks implements BlockLocator, AutoCloseable {

    public static final String WINDOW = "128k";
    public static final int BLOCK_BYTES = 70_000;
    private static final int MISSING = 1;
    private static final int COUNT = 3;

    private final Path file;
    private final OpenFiles files = new OpenFiles(1, TimeUnit.HOURS.toNanos(1));

    public ShuffledBlocks(Path directory) throws IOException {
        file = directory.resolve("blocks");
        byte[] content = new byte[COUNT * BLOCK_BYTES];
        for (int block = 0; block < COUNT; block++) {
            Arrays.fill(content, block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES, valueOf(block));
        }
        Files.write(file, content);
    }

    /** Returns the bytes of a block that exists. */
    public static byte[] content(int block) {
        byte[] content = new byte[BLOCK_BYTES];
        Arrays.fill(content, valueOf(block));
        return content;
    }

    private static byte valueOf(int block) {
        return (byte) (block + 1);
    }

    /**
     * The first blocks, as many as take so many pulls with bytes, and missing ones among them: so many that of two such
     * pulls the first, which is a quarter of all, has a missing one, too.
     */
    public static List<BlockRange> forPulls(int pulls) {
        return LongStream.rangeClosed(0, 3L * pulls - 2)
                .mapToObj(map -> new BlockRange(0, map, 0, 1))
                .toList();
    }

    public OpenFiles files() {
        return files;
    }

    @Override
    public void close() {
        files.close();
    }

    public void assertContent(ByteBuffer bytes, int block) {
        int last = bytes.remaining() - 1;
        if (last != BLOCK_BYTES - 1 || bytes.get(0) != valueOf(block) || bytes.get(last) != valueOf(block)) {
            throw new AssertionError("block " + block + " has " + bytes.remaining() + " bytes, " + bytes.get(0) + " to "
                    + bytes.get(last));
        }
    }

    @Override
    public void register(Registration registration) {
        // All executors have the same blocks.
    }

    @Override
    public void forget(String application) {
        // As above.
    }

    @Override
    public FileRange locate(String application, String executor, BlockRange block) throws BlockUnavailableException {
        if (block.mapId() == MISSING || block.mapId() >= COUNT) {
            throw new BlockUnavailableException(FailureReason.UNKNOWN_BLOCK, "no such block");
        }
        return new FileRange(file, null, block.mapId() * BLOCK_BYTES, BLOCK_BYTES);
    }
}
