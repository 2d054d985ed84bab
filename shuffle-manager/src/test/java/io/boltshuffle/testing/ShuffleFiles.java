package io.boltshuffle.testing;

import io.boltshuffle.wire.BlockRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.spark.network.shuffle.ExecutorDiskUtils;

/** Map outputs of one executor, written as Spark lays them out: a data file and an index of offsets. */
public final class ShuffleFiles {

    public static final int SUB_DIRS = 4;

    private final Path localDir;

    public ShuffleFiles(Path localDir) {
        this.localDir = localDir;
    }

    public Path localDir() {
        return localDir;
    }

    /** Writes one map output with a block of each of these sizes; the bytes are made of the map's id. */
    public void write(int shuffleId, long mapId, int... blockBytes) throws IOException {
        ByteBuffer index = ByteBuffer.allocate(Long.BYTES * (blockBytes.length + 1));
        long offset = 0;
        index.putLong(offset);
        for (int bytes : blockBytes) {
            offset += bytes;
            index.putLong(offset);
        }
        byte[] data = new byte[(int) offset];
        new Random(mapId).nextBytes(data);
        Files.write(dataFile(shuffleId, mapId), data);
        Files.write(indexFile(shuffleId, mapId), index.array());
    }

    /** Writes one map output whose index says what it likes. */
    public void writeDamaged(int shuffleId, long mapId, byte[] index, int dataBytes) throws IOException {
        Files.write(dataFile(shuffleId, mapId), new byte[dataBytes]);
        Files.write(indexFile(shuffleId, mapId), index);
    }

    /** Returns what the block of {@link #write} holds. */
    public byte[] expected(BlockRange block) throws IOException {
        ByteBuffer index = ByteBuffer.wrap(Files.readAllBytes(indexFile(block.shuffleId(), block.mapId())));
        byte[] data = new byte[(int) index.getLong(index.capacity() - Long.BYTES)];
        new Random(block.mapId()).nextBytes(data);
        return Arrays.copyOfRange(data, (int) index.getLong(Long.BYTES * block.startReduce()), (int)
                index.getLong(Long.BYTES * block.endReduce()));
    }

    public Path dataFile(int shuffleId, long mapId) throws IOException {
        return file("shuffle_" + shuffleId + "_" + mapId + "_0.data");
    }

    public Path indexFile(int shuffleId, long mapId) throws IOException {
        return file("shuffle_" + shuffleId + "_" + mapId + "_0.index");
    }

    private Path file(String name) throws IOException {
        Path file = Path.of(ExecutorDiskUtils.getFilePath(new String[] {localDir.toString()}, SUB_DIRS, name));
        Files.createDirectories(file.getParent());
        return file;
    }
}
