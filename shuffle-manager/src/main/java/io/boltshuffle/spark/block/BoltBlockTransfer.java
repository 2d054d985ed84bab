package io.boltshuffle.spark.block;

import com.codahale.metrics.MetricSet;
import io.boltshuffle.spark.fetch.LiveBlockName;
import io.boltshuffle.spark.fetch.LiveRoute;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.wire.LiveBlock;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.spark.network.BlockDataManager;
import org.apache.spark.network.BlockTransferService;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockPushingListener;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.network.shuffle.MergeFinalizerListener;
import org.apache.spark.network.shuffle.MergedBlocksMetaListener;
import org.apache.spark.network.shuffle.checksum.Cause;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.concurrent.Future;
import scala.reflect.ClassTag;
import scala.runtime.BoxedUnit;

/**
 * Spark's block transfer service with RDMA in {@link #fetchBlockSync}, by which the block manager reads pieces of
 * broadcasts, cached partitions and results. Spark's own service does everything else: it is the server, it sends
 * blocks to other hosts unasked, and it fetches what RDMA does not carry.
 *
 * <p>The inherited {@code logger} must not be used, because its type differs between Spark 3.5 and 4.
 *
 * <p><b>Threads:</b> called from any thread of Spark.
 *
 * <p><b>Ownership:</b> of the route and of the layer. It closes Spark's own service only if the block manager would
 * not.
 */
final class BoltBlockTransfer extends BlockTransferService {

    private final BlockTransferService netty;
    private final LiveRoute route;
    private final BlockLayer layer;
    private final BlockMetrics metrics;
    private final BroadcastPieces pieces = new BroadcastPieces();
    private final BooleanSupplier closesNetty;

    /** @param closesNetty asked in the end: whether nobody else closes Spark's own service */
    BoltBlockTransfer(
            BlockTransferService netty,
            LiveRoute route,
            BlockLayer layer,
            BlockMetrics metrics,
            BooleanSupplier closesNetty) {
        this.netty = netty;
        this.route = route;
        this.layer = layer;
        this.metrics = metrics;
        this.closesNetty = closesNetty;
    }

    @Override
    public ManagedBuffer fetchBlockSync(
            String host, int port, String execId, String blockId, @Nullable DownloadFileManager downloadFiles) {
        long start = System.nanoTime();
        LiveBlock block = LiveBlockName.parse(blockId).orElse(null);
        BlockClass kind = block == null ? BlockClass.OTHER : BlockClass.of(block);
        ManagedBuffer inSlab = block == null ? null : byRdma(host, port, execId, blockId, block, downloadFiles);
        if (inSlab != null) {
            metrics.byRdma(kind, inSlab.size(), System.nanoTime() - start);
            return new LiveBuffer(inSlab);
        }
        ManagedBuffer fetched = netty.fetchBlockSync(host, port, execId, blockId, downloadFiles);
        metrics.byNetty(kind, fetched == null ? 0 : fetched.size(), System.nanoTime() - start);
        return fetched;
    }

    /** Returns null for a block that goes by Netty. */
    private @Nullable ManagedBuffer byRdma(
            String host,
            int port,
            String execId,
            String blockId,
            LiveBlock block,
            @Nullable DownloadFileManager downloadFiles) {
        if (downloadFiles != null) {
            metrics.fellBack(FallbackReason.TOO_LARGE); // Spark wants it in a file
            return null;
        }
        if (pieces.mayBeTheOnly(block)) {
            metrics.leftToNetty();
            return null;
        }
        try {
            LiveRoute.Answer answer = route.fetch(host, port, execId, blockId);
            if (answer instanceof LiveRoute.Answer.Block found) {
                return found.buffer();
            }
            metrics.fellBack(((LiveRoute.Answer.Refused) answer).reason());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Spark's own service ends a killed task in its own way
        } catch (RuntimeException | LinkageError e) { // a block never fails for want of RDMA
            metrics.fellBack(FallbackReason.TRANSPORT_ERROR);
        }
        return null;
    }

    /** Spark before 4.3 calls this; {@code uploadBlockSync} does, too, and waits for the answer. */
    @Override
    public Future<BoxedUnit> uploadBlock(
            String host,
            int port,
            String execId,
            BlockId blockId,
            ManagedBuffer block,
            StorageLevel level,
            ClassTag<?> classTag) {
        metrics.uploaded(block.size());
        return netty.uploadBlock(host, port, execId, blockId, block, level, classTag);
    }

    /**
     * Overrides the method that took the other's place in Spark 4.3. The Spark of this build lacks it.
     *
     * @param checksum of a cached partition's bytes, if Spark computed it
     */
    @SuppressWarnings("unchecked") // the method's own type
    public Future<BoxedUnit> uploadBlock(
            String host,
            int port,
            String execId,
            BlockId blockId,
            ManagedBuffer block,
            StorageLevel level,
            ClassTag<?> classTag,
            Option<Object> checksum,
            boolean verifySealedChecksum) {
        metrics.uploaded(block.size());
        try {
            return (Future<BoxedUnit>) WithChecksum.UPLOAD.invoke(
                    netty, host, port, execId, blockId, block, level, classTag, checksum, verifySealedChecksum);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("uploadBlock declares no checked exception", e);
        }
    }

    /** Only Spark 4.3 and later load this class. */
    private static final class WithChecksum {
        static final MethodHandle UPLOAD = upload();

        private static MethodHandle upload() {
            MethodType type = MethodType.methodType(
                    Future.class,
                    String.class,
                    int.class,
                    String.class,
                    BlockId.class,
                    ManagedBuffer.class,
                    StorageLevel.class,
                    ClassTag.class,
                    Option.class,
                    boolean.class);
            try {
                return MethodHandles.publicLookup().findVirtual(BlockTransferService.class, "uploadBlock", type);
            } catch (NoSuchMethodException | IllegalAccessException e) {
                throw new IllegalStateException("boltshuffle was not made for this Spark: no uploadBlock" + type, e);
            }
        }
    }

    BlockMetrics metrics() {
        return metrics;
    }

    LiveRoute route() {
        return route;
    }

    /** Ends what RDMA needs; Spark's own service is left alone. */
    void closeRoute() {
        route.close();
        layer.close();
    }

    @Override
    public void close() throws IOException {
        closeRoute();
        if (closesNetty.getAsBoolean()) {
            netty.close();
        }
    }

    @Override
    public void init(BlockDataManager blocks) {
        netty.init(blocks);
    }

    @Override
    public int port() {
        return netty.port();
    }

    @Override
    public String hostName() {
        return netty.hostName();
    }

    @Override
    public void fetchBlocks(
            String host,
            int port,
            String execId,
            String[] blockIds,
            BlockFetchingListener listener,
            @Nullable DownloadFileManager downloadFiles) {
        netty.fetchBlocks(host, port, execId, blockIds, listener, downloadFiles);
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
        return netty.diagnoseCorruption(host, port, execId, shuffleId, mapId, reduceId, checksum, algorithm);
    }

    @Override
    public MetricSet shuffleMetrics() {
        return netty.shuffleMetrics();
    }

    @Override
    public void setAppAttemptId(String appAttemptId) {
        netty.setAppAttemptId(appAttemptId);
    }

    @Override
    public String getAppAttemptId() {
        return netty.getAppAttemptId();
    }

    @Override
    public void getHostLocalDirs(
            String host, int port, String[] execIds, CompletableFuture<Map<String, String[]>> hostLocalDirs) {
        netty.getHostLocalDirs(host, port, execIds, hostLocalDirs);
    }

    @Override
    public void pushBlocks(
            String host, int port, String[] blockIds, ManagedBuffer[] buffers, BlockPushingListener listener) {
        netty.pushBlocks(host, port, blockIds, buffers, listener);
    }

    @Override
    public void finalizeShuffleMerge(
            String host, int port, int shuffleId, int shuffleMergeId, MergeFinalizerListener listener) {
        netty.finalizeShuffleMerge(host, port, shuffleId, shuffleMergeId, listener);
    }

    @Override
    public void getMergedBlockMeta(
            String host, int port, int shuffleId, int shuffleMergeId, int reduceId, MergedBlocksMetaListener listener) {
        netty.getMergedBlockMeta(host, port, shuffleId, shuffleMergeId, reduceId, listener);
    }

    @Override
    public boolean removeShuffleMerge(String host, int port, int shuffleId, int shuffleMergeId) {
        return netty.removeShuffleMerge(host, port, shuffleId, shuffleMergeId);
    }
}
