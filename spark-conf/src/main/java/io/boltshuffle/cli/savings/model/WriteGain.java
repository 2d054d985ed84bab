package io.boltshuffle.cli.savings.model;

import io.boltshuffle.cli.savings.log.SparkWriter;
import io.boltshuffle.cli.savings.log.StageSums;

/** The part of a Spark writer's time that goes with the plugin's writer, and the reason to assume it. */
enum WriteGain {
    SMALL_BLOCKS(
            0.36, 0.89, "bypass writer, blocks below 4 KiB: 200 x 200 took 0.11 of stock's time, 8 x 200 took 0.64"),
    BYPASS(0.09, 0.4, "bypass writer, larger blocks: jobs took 0.60 to 0.91 of stock's time"),
    BYPASS_SPILLED(0.04, 0.32, "bypass writer, stages that spill: jobs took 0.68 to 0.96 of stock's time"),
    SERIALIZED(0.06, 0.59, "serialized writer: jobs took 0.41 to 0.94 of the time with it"),
    SMALL_BLOCKS_ZSTD(
            0.28,
            0.83,
            "bypass writer, blocks below 4 KiB, with zstd or without a codec: 200 x 200 took 0.17 to 0.24 of stock's"
                    + " time, 8 x 200 took 0.71 to 0.72"),
    BYPASS_ZSTD(
            0.06,
            0.31,
            "bypass writer, larger blocks, with zstd or without a codec: jobs took 0.69 to 0.94 of stock's time"),
    SERIALIZED_ZSTD(
            0.16, 0.56, "serialized writer, with zstd or without a codec: jobs took 0.44 to 0.84 of the time with it"),
    NOT_MEASURED(
            0,
            0.36,
            "not measured: other codecs, stages that spill without lz4, and a writer that the log does not tell"),
    LEFT_TO_SPARK(0, 0, "what combines records first, or what the plugin leaves to Spark for a setting");

    /** The mean block of the measurement with small blocks had less. */
    private static final int SMALL_BLOCK_BYTES = 4096;

    private final double low;
    private final double high;
    private final String reason;

    WriteGain(double low, double high, String reason) {
        this.low = low;
        this.high = high;
        this.reason = reason;
    }

    /** Returns the part of the time. */
    Range share() {
        return new Range(low, high);
    }

    String reason() {
        return reason;
    }

    /** The codec with which the plugin's writer was measured. */
    enum Codec {
        LZ4,
        ZSTD_OR_NONE,
        NOT_MEASURED
    }

    static WriteGain of(StageSums stage, Codec codec) {
        SparkWriter writer = stage.write().writer();
        if (writer == SparkWriter.SORT || writer == SparkWriter.NONE) {
            return LEFT_TO_SPARK;
        }
        if (writer == SparkWriter.UNKNOWN || codec == Codec.NOT_MEASURED) {
            return NOT_MEASURED;
        }
        boolean lz4 = codec == Codec.LZ4;
        if (writer == SparkWriter.SERIALIZED) {
            return lz4 ? SERIALIZED : SERIALIZED_ZSTD;
        }
        if (stage.spill().diskBytes() > 0) {
            return lz4 ? BYPASS_SPILLED : NOT_MEASURED;
        }
        if (stage.write().bytes() < stage.write().temporaryFiles() * SMALL_BLOCK_BYTES) {
            return lz4 ? SMALL_BLOCKS : SMALL_BLOCKS_ZSTD;
        }
        return lz4 ? BYPASS : BYPASS_ZSTD;
    }
}
