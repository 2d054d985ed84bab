package io.boltshuffle.cli.savings.model;

import io.boltshuffle.cli.savings.log.StageSums;
import io.boltshuffle.cli.savings.log.WriterKind;

/** Which part of the time that a writer of Spark's takes goes with the plugin's writer, and why that is assumed. */
enum WriteGain {
    SMALL_BLOCKS(
            0.36, 0.89, "bypass writer, blocks below 4 KiB: 200 x 200 took 0.11 of stock's time, 8 x 200 took 0.64"),
    BYPASS(0.16, 0.36, "bypass writer, larger blocks: jobs took 0.64 to 0.84 of stock's time"),
    BYPASS_SPILLED(0.04, 0.32, "bypass writer, stages that spill: jobs took 0.68 to 0.96 of stock's time"),
    SERIALIZED(0.18, 0.52, "serialized writer: jobs took 0.48 to 0.82 of the time with it"),
    NOT_MEASURED(0, 0.36, "not measured: codecs other than lz4, and a writer that the log does not tell"),
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

    /** @param measured whether the plugin's writer was measured with such settings */
    static WriteGain of(StageSums stage, boolean measured) {
        WriterKind writer = stage.write().writer();
        if (writer == WriterKind.SORT || writer == WriterKind.NONE) {
            return LEFT_TO_SPARK;
        }
        if (writer == WriterKind.UNKNOWN || !measured) {
            return NOT_MEASURED;
        }
        if (writer == WriterKind.SERIALIZED) {
            return SERIALIZED;
        }
        if (stage.spill().diskBytes() > 0) {
            return BYPASS_SPILLED;
        }
        long blocks = stage.write().temporaryFiles();
        return stage.write().bytes() < blocks * SMALL_BLOCK_BYTES ? SMALL_BLOCKS : BYPASS;
    }
}
