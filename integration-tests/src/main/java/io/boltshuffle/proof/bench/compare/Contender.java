package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.cli.cluster.ShuffleVariant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What takes part in a comparison of whole jobs. */
public enum Contender {
    /** Spark as it comes. */
    STOCK("stock", ShuffleVariant.STOCK, Map.of()),
    /**
     * Spark without the plugin, with what its user could set by hand against the cost of many small partitions: its
     * writer that sorts serialized rows in place of the one that opens a file for each partition, and larger buffers.
     */
    TUNED(
            "stock, tuned by hand",
            ShuffleVariant.STOCK,
            Map.of(
                    "spark.shuffle.sort.bypassMergeThreshold",
                    "1",
                    "spark.shuffle.file.buffer",
                    "1m",
                    "spark.shuffle.unsafe.file.output.buffer",
                    "1m")),
    /** Spark with the plugin as it comes. */
    BOLTSHUFFLE("boltshuffle", ShuffleVariant.BOLTSHUFFLE, Map.of());

    private final String title;
    private final ShuffleVariant shuffle;

    @SuppressWarnings("ImmutableEnumChecker") // made by Map.of
    private final Map<String, String> settings;

    Contender(String title, ShuffleVariant shuffle, Map<String, String> settings) {
        this.title = title;
        this.shuffle = shuffle;
        this.settings = settings;
    }

    /**
     * Returns those of one round. The order is another one each time, so that a machine that slows down or speeds up
     * favours none.
     */
    static List<Contender> inRound(int round, boolean tuned) {
        List<Contender> all = new ArrayList<>(tuned ? List.of(values()) : List.of(STOCK, BOLTSHUFFLE));
        Collections.rotate(all, round);
        return all;
    }

    String title() {
        return title;
    }

    /** Returns a part of names of files. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    ShuffleVariant shuffle() {
        return shuffle;
    }

    /** Returns what is set beside the settings of the shuffle and of the job. */
    Map<String, String> settings() {
        return settings;
    }
}
