package io.boltshuffle.cli.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The figures of a job's executors, from Spark's metrics system: its CSV sink appends to one file for each metric of
 * each executor, and writes the last row when the executor stops. {@code io.boltshuffle.examples.LastReport} makes the
 * executor's JVM wait for that row.
 */
public final class ExecutorMetrics {
    /** The beginning of the metrics by transport. */
    public static final String BYTES = "boltshuffle.bytes.";

    private static final String NAMESPACE = "job";
    private static final Pattern FILE = Pattern.compile(NAMESPACE + "\\.(\\d+)\\.(.+)\\.csv");

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}");

    private final Map<String, Long> totals;

    private ExecutorMetrics(Map<String, Long> totals) {
        this.totals = totals;
    }

    /** Returns the settings that make executors write to {@code directory}, which has to exist. */
    public static Map<String, String> settings(Path directory) {
        String sink = "spark.metrics.conf.executor.sink.csv.";
        return Map.of(
                "spark.metrics.namespace",
                NAMESPACE,
                sink + "class",
                "org.apache.spark.metrics.sink.CsvSink",
                sink + "directory",
                directory.toString(),
                sink + "period",
                "5",
                "spark.plugins",
                "io.boltshuffle.examples.LastReport");
    }

    /** Adds up the last value of each metric over the executors. */
    public static ExecutorMetrics read(Path directory) {
        Map<String, Long> totals = new HashMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Matcher name = FILE.matcher(file.getFileName().toString());
                if (name.matches()) {
                    lastValue(Files.readAllLines(file))
                            .ifPresent(value -> totals.merge(name.group(2), value, Long::sum));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ExecutorMetrics(totals);
    }

    /** Returns the sum over all executors; empty if no executor reported it. */
    public OptionalLong total(String metric) {
        Long total = totals.get(metric);
        return total == null ? OptionalLong.empty() : OptionalLong.of(total);
    }

    /** Returns the part of the bytes from other hosts that came by RDMA; empty if nothing was counted. */
    public OptionalDouble rdmaShare() {
        OptionalLong rdma = total(BYTES + "rdma");
        OptionalLong netty = total(BYTES + "netty");
        if (rdma.isEmpty() || netty.isEmpty()) {
            return OptionalDouble.empty();
        }
        long all = rdma.getAsLong() + netty.getAsLong();
        return all == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) rdma.getAsLong() / all);
    }

    /** Returns the metrics whose names begin with {@code prefix}, sorted. */
    public List<String> names(String prefix) {
        List<String> names = new ArrayList<>(
                totals.keySet().stream().filter(name -> name.startsWith(prefix)).toList());
        Collections.sort(names);
        return names;
    }

    /**
     * Returns the last value. A gauge has it in the column {@code value}, a counter or timer in {@code count}. A row
     * that a killed executor left incomplete is ignored.
     */
    static OptionalLong lastValue(List<String> rows) {
        List<String> columns = rows.isEmpty() ? List.of() : List.of(rows.get(0).split(",", -1));
        int column = Math.max(columns.indexOf("value"), columns.indexOf("count"));
        for (int row = rows.size() - 1; row > 0 && column >= 0; row--) {
            String[] cells = rows.get(row).split(",", -1);
            if (cells.length == columns.size() && NUMBER.matcher(cells[column]).matches()) {
                return OptionalLong.of(Long.parseLong(cells[column]));
            }
        }
        return OptionalLong.empty();
    }
}
