package io.boltshuffle.spark;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.fetch.FallbackLanes;
import io.boltshuffle.spark.fetch.FetchPolicies;
import io.boltshuffle.spark.fetch.FetchServices;
import io.boltshuffle.spark.fetch.RdmaTransport;
import io.boltshuffle.spark.fetch.ReadAhead;
import io.boltshuffle.spark.fetch.RouteLog;
import io.boltshuffle.spark.fetch.RoutingBlockStoreClient;
import io.boltshuffle.spark.meter.ShuffleMetrics;
import io.boltshuffle.spark.report.WriterLimits;
import io.boltshuffle.spark.write.MapWriters;
import java.util.Collection;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.util.SystemClock;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Holds what a process needs to read and write shuffles through the plugin. The first shuffle creates it, because the
 * manager's constructor runs before Spark's environment is complete.
 *
 * <p><b>Ownership:</b> owns the transport and the fallback threads; the BlockManager owns Spark's own client.
 */
final class ShuffleRuntime implements AutoCloseable {
    private final RdmaTransport transport;
    private final FallbackLanes fallbacks;
    private final RoutingBlockStoreClient client;
    private final ReadAhead readAhead;
    private final MapWriters writers;

    /**
     * Creates the runtime.
     *
     * @param resolver the shuffle manager's
     */
    ShuffleRuntime(SparkEnv env, Settings settings, RdmaTransport transport, IndexShuffleBlockResolver resolver) {
        this.transport = transport;
        this.fallbacks = FallbackLanes.open();
        ShuffleMetrics metrics = new ShuffleMetrics(transport.counters());
        FetchServices services = new FetchServices(
                env.blockManager().blockStoreClient(),
                transport,
                metrics,
                new RouteLog(),
                fallbacks,
                new SystemClock());
        this.client = new RoutingBlockStoreClient(services, FetchPolicies.chain(env.conf(), settings, transport));
        this.writers = new MapWriters(env, settings, resolver, metrics);
        metrics.limitWriters(new WriterLimits(writers.maxPartitions(), writers.bufferBytes()));
        this.readAhead = ReadAhead.of(env.conf(), settings, Runtime.getRuntime().maxMemory());
        env.metricsSystem().registerSource(metrics); // last: what fails before is tried again with other metrics
    }

    /** Returns the client that readers fetch with. */
    BlockStoreClient client() {
        return client;
    }

    /**
     * Returns how many bytes a task may have on their way or waiting for it.
     *
     * @param hosts the other hosts that have its blocks
     * @param merged whether some of them may be chunks of push-merged files, which never go by RDMA
     * @param task the task, at whose end others may have its share
     */
    long maxBytesInFlight(Collection<String> hosts, boolean merged, TaskContext task) {
        if (merged || hosts.isEmpty() || !hosts.stream().allMatch(client::goesByRdma)) {
            return readAhead.sparkLimit();
        }
        ReadAhead.Share share = readAhead.take(transport.readAheadBytes());
        task.addTaskCompletionListener((TaskCompletionListener) ended -> share.close());
        return share.limit();
    }

    /** Tells that a task begins to write. */
    void onWrite() {
        transport.onWrite();
    }

    /** Returns the factory of map tasks' writers. */
    MapWriters writers() {
        return writers;
    }

    @Override
    public void close() {
        transport.close();
        fallbacks.close();
    }
}
