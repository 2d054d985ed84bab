package io.boltshuffle.spark.meter;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.Timer;
import io.boltshuffle.client.ClientCounters;
import io.boltshuffle.spark.report.FetchLatency;
import io.boltshuffle.spark.report.Traffic;
import io.boltshuffle.spark.report.TrafficMeter;
import io.boltshuffle.spark.report.WriterLimits;
import io.boltshuffle.spark.write.StockReason;
import io.boltshuffle.spark.write.WriteMeter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.spark.metrics.source.Source;

/**
 * Counts for the executor, as a source of Spark's metrics system. Only the constructor declares metrics; a test
 * generates {@code docs/metrics.md} from it.
 *
 * <p><b>Threads:</b> safe from any.
 */
public final class ShuffleMetrics implements Source, TrafficMeter, WriteMeter {
    public static final String SOURCE_NAME = "boltshuffle";
    private static final double NANOS_PER_MILLI = 1e6;

    private final MetricRegistry registry = new MetricRegistry();
    private final List<Description> descriptions = new ArrayList<>();

    private final Map<Transport, Counter> bytes;
    private final Map<Transport, Counter> blocks;
    private final Map<Transport, Counter> fetches;
    private final Map<Transport, Timer> latency;
    private final Map<FallbackReason, Counter> fallbacks;
    private final Map<FallbackReason, Counter> fallbackBytes;
    private final Counter failures;
    private final Counter writeTasks;
    private final Counter writeRecords;
    private final Counter writeBytes;
    private final Counter writeSpills;
    private final Timer writeTime;
    private final Map<StockReason, Counter> leftToSpark;
    private final ClientCounters memory;
    private final StageMeter stages = new StageMeter();
    private volatile WriterLimits writerLimits = WriterLimits.NONE;

    /**
     * Describes a metric for the documentation.
     *
     * @param kind counter, gauge or timer
     */
    record Description(String name, String kind, String doc) {}

    /** @param memory the counters of the agent's client */
    public ShuffleMetrics(ClientCounters memory) {
        this.memory = memory;
        bytes = each(
                Transport.class, way -> counter("bytes." + way.metricName(), "Bytes of blocks that arrived by " + way));
        blocks = each(Transport.class, way -> counter("blocks." + way.metricName(), "Blocks that arrived by " + way));
        fetches = each(
                Transport.class, way -> counter("fetches." + way.metricName(), "Fetches by " + way + " that ended"));
        latency = each(
                Transport.class,
                way -> timer(
                        "latency." + way.metricName(),
                        "Time of a fetch from request to last block, if all of its blocks came by " + way));
        fallbacks = each(
                FallbackReason.class,
                reason -> counter(
                        "fallbacks." + reason.metricName(), "Blocks that went by Netty because " + reason.meaning()));
        fallbackBytes = each(
                FallbackReason.class,
                reason -> counter(
                        "fallbackBytes." + reason.metricName(),
                        "Bytes of the blocks counted by `fallbacks." + reason.metricName() + "`, as they arrived"));
        failures = counter("failures", "Blocks that Spark was told had failed, by Netty as well");
        writeTasks = counter("write.tasks", "Map tasks whose output the plugin's writer committed");
        writeRecords = counter("write.records", "Records that the plugin's writer wrote");
        writeBytes = counter("write.bytes", "Bytes of the outputs that the plugin's writer committed");
        writeSpills = counter("write.spills", "How often the plugin's writer went to disk because memory was short");
        writeTime = timer(
                "write.time",
                "Time of a map task from its first record to the commit, with what it took to make the records");
        leftToSpark = each(
                StockReason.class,
                reason -> counter(
                        "write.spark." + reason.metricName(),
                        "Map tasks that wrote with one of Spark's writers because " + reason.meaning()));
        gauge(
                "write.maxPartitions",
                "The most partitions that the plugin's writer takes, as it follows from the memory of a task; 0 if it"
                        + " is not used",
                () -> (long) writerLimits.partitions());
        gauge(
                "write.bufferBytes",
                "The most bytes of a partition that the plugin's writer gathers before it encodes them",
                () -> (long) writerLimits.bufferBytes());
        gauge(
                "memory.copiedOutBytes",
                "Bytes of blocks that were copied to the heap because the agent was short of memory",
                memory::copiedOutBytes);
        gauge(
                "memory.forgottenBlocks",
                "Blocks in the agent's memory, or pieces of large ones, that were dropped without a release",
                memory::forgottenCount);
    }

    @Override
    public String sourceName() {
        return SOURCE_NAME;
    }

    @Override
    public MetricRegistry metricRegistry() {
        return registry;
    }

    /** Returns all metrics, in the order of the documentation. Only the test that writes the page asks. */
    List<Description> descriptions() {
        return Collections.unmodifiableList(descriptions);
    }

    /** Returns where to count what is fetched for the task that runs on this thread. */
    public StageCounts ofCurrentStage() {
        return StageAttempt.current().map(this::ofStage).orElse(StageCounts.UNREAD);
    }

    /** Returns where to count what is fetched for a try at a stage. */
    public StageCounts ofStage(StageAttempt stage) {
        return stages.of(stage);
    }

    /** Counts a block that arrived by RDMA. */
    public void deliveredByRdma(StageCounts stage, long blockBytes) {
        delivered(Transport.RDMA, stage, blockBytes);
    }

    /** Counts a block that arrived by Netty. */
    public void deliveredByNetty(FallbackReason reason, StageCounts stage, long blockBytes) {
        delivered(Transport.NETTY, stage, blockBytes);
        of(fallbackBytes, reason).inc(blockBytes);
    }

    private void delivered(Transport way, StageCounts stage, long blockBytes) {
        of(bytes, way).inc(blockBytes);
        of(blocks, way).inc();
        stage.delivered(way, blockBytes);
    }

    /** Counts a fetch whose last block arrived, failed or was handed back. */
    public void finished(Transport way) {
        of(fetches, way).inc();
    }

    /** Records the time of a fetch all of whose blocks arrived by this transport. */
    public void took(Transport way, long nanos) {
        of(latency, way).update(nanos, TimeUnit.NANOSECONDS);
    }

    /** Counts blocks that go by Netty. */
    public void fellBack(FallbackReason reason, int blockCount) {
        of(fallbacks, reason).inc(blockCount);
    }

    /** Counts a block that Spark was told failed. */
    public void failed() {
        failures.inc();
    }

    @Override
    public void written(MapOutput figures) {
        writeTasks.inc();
        writeRecords.inc(figures.records());
        writeBytes.inc(figures.bytes());
        writeSpills.inc(figures.spills());
        writeTime.update(figures.nanos(), TimeUnit.NANOSECONDS);
        ofCurrentStage().written(figures);
    }

    @Override
    public void leftToSpark(StockReason reason) {
        of(leftToSpark, reason).inc();
        ofCurrentStage().leftToSpark(reason);
    }

    @Override
    public Traffic traffic() {
        Map<String, Long> nettyBytes = new HashMap<>();
        fallbackBytes.forEach((reason, counter) -> {
            if (counter.getCount() > 0) {
                nettyBytes.put(reason.metricName(), counter.getCount());
            }
        });
        Map<String, FetchLatency> times = new HashMap<>();
        latency.forEach((way, timer) -> {
            if (timer.getCount() > 0) {
                times.put(way.metricName(), latencyOf(way, timer));
            }
        });
        return new Traffic(
                of(bytes, Transport.RDMA).getCount(),
                nettyBytes,
                memory.copiedOutBytes(),
                memory.forgottenCount(),
                times,
                stages.traffic(),
                writerLimits);
    }

    /** Sets the limits of this process's writers, which the metrics show. */
    public void limitWriters(WriterLimits limits) {
        writerLimits = limits;
    }

    private FetchLatency latencyOf(Transport way, Timer timer) {
        Snapshot times = timer.getSnapshot();
        return new FetchLatency(
                timer.getCount(),
                of(bytes, way).getCount() / Math.max(1, of(fetches, way).getCount()),
                times.getMedian() / NANOS_PER_MILLI,
                times.get95thPercentile() / NANOS_PER_MILLI,
                times.get99thPercentile() / NANOS_PER_MILLI,
                times.getMax() / NANOS_PER_MILLI);
    }

    private Counter counter(String name, String doc) {
        descriptions.add(new Description(name, "counter", doc));
        return registry.counter(name);
    }

    private void gauge(String name, String doc, Gauge<Long> value) {
        descriptions.add(new Description(name, "gauge", doc));
        registry.register(name, value);
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
