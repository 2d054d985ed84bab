package io.boltshuffle.spark.fetch;

import com.codahale.metrics.MetricSet;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockPushingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.network.shuffle.DownloadFileManager;
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
 * <p><b>Ownership:</b> closes nothing; the BlockManager owns the delegate, and the shuffle manager owns the transport.
 */
public final class RoutingBlockStoreClient extends BlockStoreClient {
    private static final String ANY_SHUFFLE_BLOCK = "shuffle_0_0_0";

    private final BlockStoreClient delegate;
    private final FetchServices services;
    private final List<FetchPolicy> policies;

    public RoutingBlockStoreClient(FetchServices services, List<FetchPolicy> policies) {
        this.delegate = services.netty();
        this.services = services;
        this.policies = List.copyOf(policies);
    }

    @Override
    public void fetchBlocks(
            String host,
            int port,
            String execId,
            String[] blockIds,
            BlockFetchingListener listener,
            @Nullable DownloadFileManager downloadFiles) {
        FetchPlan plan = reviewed(new FetchPlan(host, Arrays.asList(blockIds)));
        services.routes().planned(plan);
        new RoutedFetch(services, new BlockSource(host, port, execId), listener, downloadFiles).start(plan);
    }

    /** Returns whether blocks of a shuffle would go by RDMA from that host now. */
    public boolean goesByRdma(String host) {
        return reviewed(new FetchPlan(host, List.of(ANY_SHUFFLE_BLOCK)))
                .refused()
                .isEmpty();
    }

    private FetchPlan reviewed(FetchPlan plan) {
        for (FetchPolicy policy : policies) {
            if (plan.candidates().isEmpty()) {
                break;
            }
            policy.review(plan);
        }
        return plan;
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
    public void close() {
        // This class owns nothing that it could close.
    }
}
