package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.cli.job.ShuffleVariant;
import io.boltshuffle.proof.accelerator.Comet;
import io.boltshuffle.proof.bench.baseline.Baseline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * A participant in a comparison of whole jobs.
 *
 * @param label a part of names of files, and the name in JSON
 * @param accelerator that runs the queries, or empty for Spark itself; only what has the same is compared
 * @param settings beside those of the shuffle and of the job
 * @param onTmpfs whether Spark's local directories are on a file system in memory
 */
public record Contender(
        String label, String title, Role role, String accelerator, Map<String, String> settings, boolean onTmpfs) {
    /** Spark as it comes. */
    public static final Contender STOCK = new Contender("stock", "stock", Role.STOCK, "", Map.of(), false);

    /**
     * Spark without the plugin, with what its user could set by hand against the cost of many small partitions: its
     * writer that sorts serialized rows in place of the one that opens a file for each partition, and larger buffers.
     */
    public static final Contender TUNED = new Contender(
            "tuned",
            "stock tuned by hand",
            Role.BESIDE,
            "",
            Map.of(
                    "spark.shuffle.sort.bypassMergeThreshold",
                    "1",
                    "spark.shuffle.file.buffer",
                    "1m",
                    "spark.shuffle.unsafe.file.output.buffer",
                    "1m"),
            false);

    /** Spark with the plugin as it comes. */
    public static final Contender BOLTSHUFFLE =
            new Contender("boltshuffle", "boltshuffle", Role.BOLTSHUFFLE, "", Map.of(), false);

    /** The part of a contender in a comparison. */
    enum Role {
        /** Runs without the plugin; the plugin is compared with it. */
        STOCK,
        /** Runs without the plugin, with other settings. */
        BESIDE,
        BOLTSHUFFLE
    }

    /**
     * Returns those of a comparison: stock Spark, the plugin, and what was asked for besides.
     *
     * @param tuned whether stock Spark tuned by hand takes part
     */
    public static List<Contender> all(boolean tuned, List<Baseline> baselines) {
        List<Contender> all = new ArrayList<>(List.of(STOCK));
        if (tuned) {
            all.add(TUNED);
        }
        baselines.stream().map(Contender::of).forEach(all::add);
        all.add(BOLTSHUFFLE);
        return List.copyOf(all);
    }

    /** Returns Comet by itself, and with the plugin's transport. */
    public static List<Contender> of(Comet comet, String memory) {
        Map<String, String> settings = comet.settings(memory);
        String both = Comet.TITLE + " and boltshuffle";
        return List.of(
                new Contender("comet", Comet.TITLE, Role.STOCK, Comet.TITLE, settings, false),
                new Contender("comet-boltshuffle", both, Role.BOLTSHUFFLE, Comet.TITLE, settings, false));
    }

    private static Contender of(Baseline baseline) {
        return new Contender(
                baseline.toString(),
                "stock " + baseline.manner(),
                Role.BESIDE,
                "",
                baseline.settings(),
                baseline == Baseline.TMPFS);
    }

    ShuffleVariant shuffle() {
        return role == Role.BOLTSHUFFLE ? ShuffleVariant.BOLTSHUFFLE : ShuffleVariant.STOCK;
    }

    /**
     * Returns them for one round. The order is another one each time, so that a machine that slows down or speeds up
     * favours none.
     */
    static List<Contender> inRound(int round, List<Contender> all) {
        List<Contender> rotated = new ArrayList<>(all);
        Collections.rotate(rotated, round);
        return rotated;
    }
}
