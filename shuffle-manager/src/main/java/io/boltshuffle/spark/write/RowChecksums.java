package io.boltshuffle.spark.write;

import org.apache.spark.shuffle.checksum.RowBasedChecksum;

/**
 * The checksums, independent of order, by which Spark 4.1 and later tell whether another attempt wrote other rows.
 * Spark 3.5 and 4.0 have none: {@link SparkVersions} makes no instance there, and this class is not loaded.
 */
final class RowChecksums {
    private final RowBasedChecksum[] checksums;

    RowChecksums(RowBasedChecksum[] checksums) {
        this.checksums = checksums;
    }

    void update(int partition, Object key, Object value) {
        checksums[partition].update(key, value);
    }

    /** Of the whole output, as a MapStatus tells it. */
    long value() {
        return RowBasedChecksum.getAggregatedChecksumValue(checksums);
    }
}
