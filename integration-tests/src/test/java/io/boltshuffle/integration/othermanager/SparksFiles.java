package io.boltshuffle.integration.othermanager;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleBlockResolver;

/** Data and index files in Spark's layout and, as accelerators have it, without checksums. */
final class SparksFiles implements OutputFiles {
    private final IndexShuffleBlockResolver resolver;

    SparksFiles(SparkConf conf) {
        resolver = new IndexShuffleBlockResolver(conf);
    }

    @Override
    public void commit(int shuffleId, long mapId, List<byte[]> partitions) throws IOException {
        File unfinished = resolver.createTempFile(resolver.getDataFile(shuffleId, mapId));
        try (OutputStream data = Files.newOutputStream(unfinished.toPath())) {
            for (byte[] partition : partitions) {
                data.write(partition);
            }
        }
        long[] lengths =
                partitions.stream().mapToLong(partition -> partition.length).toArray();
        resolver.writeMetadataFileAndCommit(shuffleId, mapId, lengths, new long[0], unfinished);
    }

    @Override
    public ShuffleBlockResolver resolver() {
        return resolver;
    }
}
