package io.boltshuffle.proof.conformance.inspark;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import io.boltshuffle.spark.meter.ShuffleMetrics;
import io.boltshuffle.spark.report.BlockMeter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.metrics.MetricsSystem;
import org.apache.spark.metrics.source.Source;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Counts what this JVM used the plugin's manager for: managers made, readers made, and the plugin's own counters. It
 * writes them to a file of its own when the JVM ends. A killed JVM leaves none, so sums over a suite are lower bounds.
 *
 * <p><b>Threads:</b> safe from any.
 */
final class SuiteTally {

    static final String MANAGERS = "managers";
    static final String READERS = "readers";

    /** The metric sources of the manager, and of the blocks that are not of shuffles. */
    private static final List<String> SOURCES = List.of(ShuffleMetrics.SOURCE_NAME, BlockMeter.SOURCE_NAME);

    private static final AtomicLong managers = new AtomicLong();
    private static final AtomicLong readers = new AtomicLong();

    /** One of each SparkEnv that read or wrote anything; a suite's JVM has many, one after the other. */
    private static final Set<MetricRegistry> registries =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(SuiteTally::write, "suite-tally"));
    }

    private SuiteTally() {}

    static void managerMade() {
        managers.incrementAndGet();
    }

    static void readerMade(MetricsSystem metrics) {
        readers.incrementAndGet();
        used(metrics);
    }

    /** A reader or writer was made: what the plugin counts there is part of the tally. */
    static void used(MetricsSystem metrics) {
        for (String name : SOURCES) {
            for (Source source : CollectionConverters.asJava(metrics.getSourcesByName(name))) {
                registries.add(source.metricRegistry());
            }
        }
    }

    private static void write() {
        Map<String, Long> figures = new HashMap<>(Map.of(MANAGERS, managers.get(), READERS, readers.get()));
        synchronized (registries) {
            for (MetricRegistry registry : registries) {
                registry.getCounters().forEach((name, counter) -> add(figures, name, counter));
            }
        }
        Properties lines = new Properties();
        figures.forEach((name, value) -> lines.setProperty(name, value.toString()));
        Path file = Path.of(System.getProperty(SuiteFiles.TALLIES))
                .resolve(ProcessHandle.current().pid() + ".properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            lines.store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(Map<String, Long> figures, String name, Counter counter) {
        if (counter.getCount() > 0) {
            figures.merge(name, counter.getCount(), Long::sum);
        }
    }
}
