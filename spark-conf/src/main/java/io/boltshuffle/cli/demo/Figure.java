package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.base.Counted;
import io.boltshuffle.cli.job.ExecutorMetrics;
import io.boltshuffle.cli.job.ShuffleVariant;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.draw.Figures;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Describes one line of figures: its source and its format.
 *
 * @param pluginOnly whether stock Spark does not have it
 */
record Figure(String label, String metric, boolean pluginOnly, LongFunction<String> format) {
    static final String REMOTE_BYTES = "executor.shuffleRemoteBytesRead";
    static final String LOCAL_BYTES = "executor.shuffleLocalBytesRead";
    static final String FETCH_WAIT_MILLIS = "executor.shuffleFetchWaitTime";
    static final String CPU_NANOS = "JVMCPU.jvmCpuTime";
    static final String BYTES_BY_TRANSPORT = ExecutorMetrics.BYTES;
    static final String FALLBACK_BLOCKS = "boltshuffle.fallbacks.";

    /**
     * Returns the figures to show for these runs, in order: transports always, reasons of fallback if they occurred.
     */
    static List<Figure> of(List<DemoRun> runs) {
        Stream<Figure> read = Stream.of(
                new Figure("shuffle read, remote", REMOTE_BYTES, false, ByteFigures::bytes),
                new Figure("shuffle read, local", LOCAL_BYTES, false, ByteFigures::bytes));
        Stream<Figure> transports = Stream.of("rdma", "netty")
                .map(name -> new Figure("  by " + name, BYTES_BY_TRANSPORT + name, true, ByteFigures::bytes));
        Stream<Figure> fallbacks = reasons(runs).stream()
                .map(name -> new Figure(
                        "  not by rdma: " + name.substring(FALLBACK_BLOCKS.length()),
                        name,
                        true,
                        blocks -> Counted.of(blocks, "block")));
        Stream<Figure> costs = Stream.of(
                new Figure("fetch wait", FETCH_WAIT_MILLIS, false, millis -> Figures.seconds(millis / 1e3)),
                new Figure("executor CPU", CPU_NANOS, false, nanos -> Figures.seconds(nanos / 1e9)));
        return Stream.of(read, transports, fallbacks, costs)
                .flatMap(part -> part)
                .toList();
    }

    boolean appliesTo(DemoRun run) {
        return !pluginOnly || run.variant() == ShuffleVariant.BOLTSHUFFLE;
    }

    OptionalLong of(DemoRun run) {
        return run.metrics().total(metric);
    }

    /** Rounded down: what is not all is not shown as all. */
    static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", Math.floor(share * 1000) / 10);
    }

    private static TreeSet<String> reasons(List<DemoRun> runs) {
        TreeSet<String> happened = new TreeSet<>();
        for (DemoRun run : runs) {
            run.metrics().names(FALLBACK_BLOCKS).stream()
                    .filter(name -> run.metrics().total(name).orElse(0) > 0)
                    .forEach(happened::add);
        }
        return happened;
    }
}
