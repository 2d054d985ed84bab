package io.boltshuffle.spark.fetch;

import com.codahale.metrics.MetricSet;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockPushingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.network.shuffle.ExternalBlockStoreClient;
import org.apache.spark.network.shuffle.MergeFinalizerListener;
import org.apache.spark.network.shuffle.MergedBlocksMetaListener;
import org.apache.spark.network.shuffle.checksum.Cause;
import org.jspecify.annotations.Nullable;

/**
 * Extends Spark's block store client in {@link #fetchBlocks}: the policy chain decides which blocks go by RDMA. The
 * delegate does everything else.
 *
 * <p>The inherited {@code logger} must not be used, because its type differs between Spark 3.5 and 4.
 *
 * <p><b>Threads:</b> called from task threads, several at once.
 *
 * <p><b>Ownership:</b> of nothing where the plugin's manager made it. In Spark's block manager it stands for the
 * delegate, and is closed as that would be: the service's client with it, and Spark's transfer service, which the block
 * manager closes itself, without.
 */
public final class RoutingBlockStoreClient extends BlockStoreClient {
    private static final String ANY_SHUFFLE_BLOCK = "shuffle_0_0_0";

    private final BlockStoreClient delegate;
    private final Supplier<@Nullable Routing> routing;
    private final @Nullable FetchSide side; // null in tests, which have no Spark

    /**
     * Decides which blocks of a fetch go by RDMA.
     *
     * @param policies reviewed in this order
     */
    record Routing(FetchServices services, List<FetchPolicy> policies) {

        Routing {
            policies = List.copyOf(policies);
        }

        FetchPlan plan(String host, List<String> blockIds) {
            FetchPlan plan = new FetchPlan(host, blockIds);
            for (FetchPolicy policy : policies) {
                if (plan.candidates().isEmpty()) {
                    break;
                }
                policy.review(plan);
            }
            return plan;
        }
    }

    RoutingBlockStoreClient(FetchServices services, List<FetchPolicy> policies) {
        this(services.netty(), constant(new Routing(services, policies)), null);
    }

    /** @param routing returns how to fetch; null if the delegate has to fetch everything */
    RoutingBlockStoreClient(BlockStoreClient delegate, Supplier<@Nullable Routing> routing, @Nullable FetchSide side) {
        this.delegate = delegate;
        this.routing = routing;
        this.side = side;
    }

    private static Supplier<@Nullable Routing> constant(Routing routing) {
        return () -> routing;
    }

    @Nullable FetchSide side() {
        return side;
    }

    @Override
    public void fetchBlocks(
            String host,
            int port,
            String execId,
            String[] blockIds,
            BlockFetchingListener listener,
            @Nullable DownloadFileManager downloadFiles) {
        Routing now = routing.get();
        if (now == null) {
            delegate.fetchBlocks(host, port, execId, blockIds, listener, downloadFiles);
            return;
        }
        FetchPlan plan = now.plan(host, Arrays.asList(blockIds));
        now.services().routes().planned(plan);
        new RoutedFetch(now.services(), new BlockSource(host, port, execId), listener, downloadFiles).start(plan);
    }

    /** Returns whether blocks of a shuffle would go by RDMA from that host now. */
    public boolean goesByRdma(String host) {
        Routing now = routing.get();
        return now != null
                && now.plan(host, List.of(ANY_SHUFFLE_BLOCK)).refused().isEmpty();
    }

    @Override
    public Cause diagnoseCorruption(
            String host,
            int port,
            String execId,
            int shuffleId,
            long mapId,
            int reduceId,
            long checksum,
            String algorithm) {
        return delegate.diagnoseCorruption(host, port, execId, shuffleId, mapId, reduceId, checksum, algorithm);
    }

    @Override
    public MetricSet shuffleMetrics() {
        return delegate.shuffleMetrics();
    }

    @Override
    public void setAppAttemptId(String appAttemptId) {
        delegate.setAppAttemptId(appAttemptId);
    }

    @Override
    public String getAppAttemptId() {
        return delegate.getAppAttemptId();
    }

    @Override
    public void getHostLocalDirs(
            String host, int port, String[] execIds, CompletableFuture<Map<String, String[]>> hostLocalDirs) {
        delegate.getHostLocalDirs(host, port, execIds, hostLocalDirs);
    }

    @Override
    public void pushBlocks(
            String host, int port, String[] blockIds, ManagedBuffer[] buffers, BlockPushingListener listener) {
        delegate.pushBlocks(host, port, blockIds, buffers, listener);
    }

    @Override
    public void finalizeShuffleMerge(
            String host, int port, int shuffleId, int shuffleMergeId, MergeFinalizerListener listener) {
        delegate.finalizeShuffleMerge(host, port, shuffleId, shuffleMergeId, listener);
    }

    @Override
    public void getMergedBlockMeta(
            String host, int port, int shuffleId, int shuffleMergeId, int reduceId, MergedBlocksMetaListener listener) {
        delegate.getMergedBlockMeta(host, port, shuffleId, shuffleMergeId, reduceId, listener);
    }

    @Override
    public boolean removeShuffleMerge(String host, int port, int shuffleId, int shuffleMergeId) {
        return delegate.removeShuffleMerge(host, port, shuffleId, shuffleMergeId);
    }

    @Override
    public void close() throws IOException {
        if (side != null) {
            side.close();
        }
        if (delegate instanceof ExternalBlockStoreClient) {
            delegate.close();
        }
    }
}
