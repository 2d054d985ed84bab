package io.boltshuffle.spark.write;

import java.io.IOException;
import java.util.Arrays;
import java.util.zip.Checksum;
import org.apache.spark.SparkConf;
import org.apache.spark.shuffle.checksum.ShuffleChecksumSupport;

/** Computes the length and the checksum of each partition while its bytes leave memory for a file. */
final class PartitionTotals implements ShuffleChecksumSupport {
    private final long[] lengths;
    private final Checksum[] checksums; // none if Spark is told so

    PartitionTotals(int partitions, SparkConf conf) {
        lengths = new long[partitions];
        checksums = createPartitionChecksums(partitions, conf);
    }

    void add(int partition, byte[] bytes, int offset, int length) {
        lengths[partition] += length;
        if (checksums.length > 0) {
            checksums[partition].update(bytes, offset, length);
        }
    }

    /** Checks that all counted bytes are in the file. */
    void requireSum(long fileBytes) throws IOException {
        if (sum() != fileBytes) {
            throw new IOException("map output: its partitions have " + sum() + " bytes, its file has " + fileBytes);
        }
    }

    /** Returns the bytes of all partitions together. */
    long sum() {
        return Arrays.stream(lengths).sum();
    }

    long[] lengths() {
        return lengths.clone();
    }

    /** Returns the checksums; the array is empty if Spark's settings ask for none. */
    long[] checksums() {
        return getChecksumValues(checksums);
    }
}
