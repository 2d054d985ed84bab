package io.boltshuffle.spark.write;

import java.util.Locale;

/** Says why a map task writes with one of Spark's own writers. Each reason has a counter of its name. */
public enum StockReason {
    DISABLED("`spark.boltshuffle.enabled` or `spark.boltshuffle.writer.enabled` is `false`"),
    STORAGE_PLUGIN("`spark.shuffle.sort.io.plugin.class` names another storage than Spark's local disks"),
    CODEC("`spark.io.compression.codec` names a codec other than `lz4`, `zstd` and `snappy`"),
    MAP_SIDE_COMBINE("records are combined before they are written"),
    FORCED_SPILLS(
            "a setting, such as `spark.shuffle.spill.numElementsForceSpillThreshold`, says when Spark's sorters spill"),
    PARTITIONS("there are more partitions than `spark.boltshuffle.writer.maxPartitions` allows");

    private final String meaning;

    StockReason(String meaning) {
        this.meaning = meaning;
    }

    /** Returns the reason as it stands in the names of metrics. */
    public String metricName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns words that complete the sentence "by Spark's writer, because". */
    public String meaning() {
        return meaning;
    }
}
