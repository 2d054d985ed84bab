package io.boltshuffle.integration.othermanager;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.shuffle.MergedBlockMeta;
import org.apache.spark.shuffle.ShuffleBlockResolver;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockId;
import org.apache.spark.storage.ShuffleMergedBlockId;
import scala.Option;
import scala.collection.immutable.Seq;

/** A file for each block, under a name that only this class knows. */
final class FilesOfItsOwn implements OutputFiles, ShuffleBlockResolver {

    @Override
    public void commit(int shuffleId, long mapId, List<byte[]> partitions) throws IOException {
        for (int partition = 0; partition < partitions.size(); partition++) {
            Files.write(file(new ShuffleBlockId(shuffleId, mapId, partition)), partitions.get(partition));
        }
    }

    @Override
    public ManagedBuffer getBlockData(BlockId block, Option<String[]> directories) {
        try {
            return new NioManagedBuffer(ByteBuffer.wrap(Files.readAllBytes(file(block))));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path file(BlockId block) {
        return SparkEnv.get()
                .blockManager()
                .diskBlockManager()
                .getFile("columnar_" + block.name())
                .toPath();
    }

    @Override
    public ShuffleBlockResolver resolver() {
        return this;
    }

    @Override
    public Seq<ManagedBuffer> getMergedBlockData(ShuffleMergedBlockId block, Option<String[]> directories) {
        throw new UnsupportedOperationException("nothing is merged");
    }

    @Override
    public MergedBlockMeta getMergedBlockMeta(ShuffleMergedBlockId block, Option<String[]> directories) {
        throw new UnsupportedOperationException("nothing is merged");
    }

    @Override
    public void stop() {
        // Spark deletes the directories.
    }
}
