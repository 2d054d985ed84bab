package io.boltshuffle.spark.write;

import org.apache.spark.shuffle.checksum.RowBasedChecksum;

/**
 * Computes the checksums, independent of order, by which Spark 4.1 and later tell whether another attempt wrote other
 * rows. Spark 3.5 and 4.0 have none: {@link SparkVersions} creates no instance there, and this class is not loaded.
 */
final class RowChecksums {
    private final RowBasedChecksum[] checksums;

    RowChecksums(RowBasedChecksum[] checksums) {
        this.checksums = checksums;
    }

    void update(int partition, Object key, Object value) {
        checksums[partition].update(key, value);
    }

    /** Returns the checksum of the whole output, for a MapStatus. */
    long value() {
        return RowBasedChecksum.getAggregatedChecksumValue(checksums);
    }
}
