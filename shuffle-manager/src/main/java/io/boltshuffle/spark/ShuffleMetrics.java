package io.boltshuffle.spark;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.spark.metrics.source.Source;

/**
 * What the executor counts, as a source of Spark's metrics system. The constructor is the one place where metrics are
 * declared; {@code docs/metrics.md} is generated from it.
 *
 * <p><b>Threads:</b> safe from any.
 */
final class ShuffleMetrics implements Source {
    private final MetricRegistry registry = new MetricRegistry();
    private final List<Description> descriptions = new ArrayList<>();

    private final Map<Transport, Counter> bytes;
    private final Map<Transport, Counter> blocks;
    private final Map<Transport, Counter> fetches;
    private final Map<Transport, Timer> latency;
    private final Map<FallbackReason, Counter> fallbacks;
    private final Counter failures;

    /**
     * A metric for the documentation.
     *
     * @param kind counter or timer
     */
    record Description(String name, String kind, String doc) {}

    ShuffleMetrics() {
        bytes = each(
                Transport.class, way -> counter("bytes." + way.metricName(), "Bytes of blocks that arrived by " + way));
        blocks = each(Transport.class, way -> counter("blocks." + way.metricName(), "Blocks that arrived by " + way));
        fetches = each(
                Transport.class,
                way -> counter("fetches." + way.metricName(), "Fetches by " + way + " that came to their end"));
        latency = each(
                Transport.class,
                way -> timer(
                        "latency." + way.metricName(), "Time of a fetch by " + way + ", from request to last block"));
        fallbacks = each(
                FallbackReason.class,
                reason -> counter(
                        "fallbacks." + reason.metricName(), "Blocks that went by Netty because " + reason.meaning()));
        failures = counter("failures", "Blocks that Spark was told had failed, by Netty as well");
    }

    @Override
    public String sourceName() {
        return "boltshuffle";
    }

    @Override
    public MetricRegistry metricRegistry() {
        return registry;
    }

    /** All metrics, in the order of the documentation. */
    List<Description> descriptions() {
        return Collections.unmodifiableList(descriptions);
    }

    /** A block arrived. */
    void delivered(Transport way, long blockBytes) {
        of(bytes, way).inc(blockBytes);
        of(blocks, way).inc();
    }

    /** The last block of a fetch arrived, failed or was handed back. */
    void finished(Transport way, long nanos) {
        of(fetches, way).inc();
        of(latency, way).update(nanos, TimeUnit.NANOSECONDS);
    }

    /** Blocks go by Netty. */
    void fellBack(FallbackReason reason, int blockCount) {
        of(fallbacks, reason).inc(blockCount);
    }

    /** Spark was told that a block failed. */
    void failed() {
        failures.inc();
    }

    private Counter counter(String name, String doc) {
        descriptions.add(new Description(name, "counter", doc));
        return registry.counter(name);
    }

    private Timer timer(String name, String doc) {
        descriptions.add(new Description(name, "timer", doc));
        return registry.timer(name);
    }

    private static <E extends Enum<E>, M> Map<E, M> each(Class<E> keys, Function<E, M> metric) {
        Map<E, M> metrics = new EnumMap<>(keys);
        for (E key : keys.getEnumConstants()) {
            metrics.put(key, metric.apply(key));
        }
        return metrics;
    }

    @SuppressWarnings("NullAway") // each() put a metric under every constant of the enum
    private static <E extends Enum<E>, M> M of(Map<E, M> metrics, E key) {
        return metrics.get(key);
    }
}
