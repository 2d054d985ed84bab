package io.boltshuffle.proof.bench.inspark;

import com.codahale.metrics.Counter;
import io.boltshuffle.spark.BoltShuffleManager;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.metrics.source.Source;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockStoreClient;
import scala.jdk.javaapi.CollectionConverters;

/** The work of an executor for {@link FetchBench}, on the thread of a task. */
record FetchTask(int shuffleId, ShuffleShape shape, List<Long> executors, FetchBenchPlan plan) implements Serializable {
    private static final int WARM_UP_FETCHERS = 4;
    private static final int MOST_PASSES = 5;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /**
     * Fetches every block by both routes and compares them, until all blocks of a pass went by RDMA, because the first
     * fetches find the way. Then it warms both routes up.
     *
     * @return the blocks of a pass
     */
    int prepare() {
        int blocks = verify();
        int most = plan.fetchers().stream().mapToInt(Integer::intValue).max().orElseThrow();
        for (FetchRoute route : FetchRoute.values()) {
            try (FetchLoad load = new FetchLoad(client(route), requests(), most, (id, buffer) -> {})) {
                load.duringNanos(plan.warmUpMillis() * NANOS_PER_MILLI);
            }
        }
        return blocks;
    }

    private List<FetchRequests.Request> requests() {
        return FetchRequests.of(shuffleId, shape, plan.blocksPerRequest());
    }

    private int verify() {
        List<FetchRequests.Request> requests = requests();
        Map<String, Long> byNetty = checksums(FetchRoute.NETTY, requests);
        for (int pass = 1; pass <= MOST_PASSES; pass++) {
            long before = rdmaBytes();
            Map<String, Long> byPlugin = checksums(FetchRoute.BOLTSHUFFLE, requests);
            if (!byPlugin.equals(byNetty)) {
                throw new IllegalStateException("the two routes brought different bytes");
            }
            if (rdmaBytes() - before >= (long) byNetty.size() * shape.blockBytes() / 2) {
                return byNetty.size();
            }
        }
        throw new IllegalStateException("blocks do not go by RDMA; the executors' and agents' logs say why");
    }

    private Map<String, Long> checksums(FetchRoute route, List<FetchRequests.Request> requests) {
        Map<String, Long> checksums = new ConcurrentHashMap<>();
        try (FetchLoad load = new FetchLoad(
                client(route), requests, WARM_UP_FETCHERS, (id, buffer) -> checksums.put(id, checksum(buffer)))) {
            load.once();
        }
        return checksums;
    }

    private static long checksum(ManagedBuffer buffer) {
        CRC32C checksum = new CRC32C();
        try (InputStream bytes = new CheckedInputStream(buffer.createInputStream(), checksum)) {
            bytes.skipNBytes(buffer.size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return checksum.getValue();
    }

    FetchSample measure(FetchRoute route, int fetchers, int round) {
        List<FetchRequests.Request> requests = requests();
        try (FetchLoad load = new FetchLoad(client(route), requests, fetchers, (id, buffer) -> {})) {
            long rdmaBefore = rdmaBytes();
            long allocatedBefore = HeapFigures.ofThisProcess().allocatedBytes();
            CpuNanos cpuBefore = CpuNanos.now(executors, plan.agents());
            long start = System.nanoTime();
            long[] nanos = load.duringNanos(plan.measureMillis() * NANOS_PER_MILLI);
            long wallNanos = System.nanoTime() - start;
            CpuNanos cpu = CpuNanos.now(executors, plan.agents()).since(cpuBefore);
            return new FetchSample(
                    route,
                    shape.blockBytes(),
                    fetchers,
                    round,
                    load.bytes(),
                    rdmaBytes() - rdmaBefore,
                    load.blocks(),
                    nanos.length,
                    wallNanos,
                    LatencyNanos.of(nanos),
                    cpu,
                    HeapFigures.ofThisProcess().allocatedBytes() - allocatedBefore);
        }
    }

    private static BlockStoreClient client(FetchRoute route) {
        SparkEnv env = SparkEnv.get();
        return route == FetchRoute.NETTY
                ? env.blockManager().blockStoreClient()
                : ((BoltShuffleManager) env.shuffleManager()).blockStoreClient();
    }

    /** Returns the bytes by RDMA that the plugin's metrics count. */
    private static long rdmaBytes() {
        List<Source> sources =
                CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName("boltshuffle"));
        return sources.stream()
                .map(source -> source.metricRegistry().counter("bytes.rdma"))
                .mapToLong(Counter::getCount)
                .sum();
    }
}
