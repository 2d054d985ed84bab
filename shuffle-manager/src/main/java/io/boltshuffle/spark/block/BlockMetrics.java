package io.boltshuffle.spark.block;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.spark.report.BlockMeter;
import io.boltshuffle.spark.report.BlockTraffic;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.spark.metrics.source.Source;

/**
 * Counts what this process fetched through Spark's block transfer service, as a source of Spark's metrics system. The
 * names are those of {@code docs/operations.md}.
 *
 * <p><b>Threads:</b> safe from any.
 */
final class BlockMetrics implements Source, BlockMeter {

    private final MetricRegistry registry = new MetricRegistry();

    @Override
    public String sourceName() {
        return SOURCE_NAME;
    }

    @Override
    public MetricRegistry metricRegistry() {
        return registry;
    }

    @Override
    public List<BlockTraffic> blocks() {
        return Arrays.stream(BlockClass.values())
                .map(this::blocksOf)
                .filter(traffic -> traffic.rdmaBlocks() + traffic.tcpBlocks() > 0)
                .toList();
    }

    private BlockTraffic blocksOf(BlockClass kind) {
        String name = kind.metricName();
        return new BlockTraffic(
                name,
                count("bytes.rdma." + name),
                count("bytes.netty." + name),
                count("blocks.rdma." + name),
                count("blocks.netty." + name));
    }

    /** Returns a count, of which there is no metric as long as it is zero. */
    private long count(String name) {
        Counter counter = registry.getCounters().get(name);
        return counter == null ? 0 : counter.getCount();
    }

    void byRdma(BlockClass kind, long bytes, long nanos) {
        arrived(kind, "rdma", bytes, nanos);
    }

    void byNetty(BlockClass kind, long bytes, long nanos) {
        arrived(kind, "netty", bytes, nanos);
    }

    private void arrived(BlockClass kind, String way, long bytes, long nanos) {
        counter("bytes." + way + "." + kind.metricName()).inc(bytes);
        counter("blocks." + way + "." + kind.metricName()).inc();
        registry.timer("wait." + way + "." + kind.metricName()).update(nanos, TimeUnit.NANOSECONDS);
    }

    /** Counts a block that goes by Netty although it is of a kind that RDMA carries. */
    void fellBack(FallbackReason reason) {
        counter("fallbacks." + reason.name().toLowerCase(Locale.ROOT)).inc();
    }

    /** Counts the first piece of a broadcast that may have no other. */
    void leftToNetty() {
        counter("firstPieces").inc();
    }

    /** Counts a block that is sent to another host unasked, which always goes by Netty. */
    void uploaded(long bytes) {
        counter("uploads").inc();
        counter("uploads.bytes").inc(bytes);
    }

    /** Counts a block of this process that was laid out for another host. */
    void laidOut(BlockClass kind, long bytes) {
        counter("laidOut.blocks." + kind.metricName()).inc();
        counter("laidOut.bytes." + kind.metricName()).inc(bytes);
    }

    /** Counts a block that another host asked for and that was not laid out. */
    void notLaidOut() {
        counter("laidOut.refused").inc();
    }

    private Counter counter(String name) {
        return registry.counter(name);
    }
}
