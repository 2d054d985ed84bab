package io.boltshuffle.spark.fetch;

import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.spark.meter.StageAttempt;
import io.boltshuffle.spark.meter.Transport;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Represents one call of {@code fetchBlocks}, split into legs: at most one by RDMA, and one by Netty for each group of
 * blocks that RDMA refused or handed back for the same reason.
 *
 * <p><b>Invariant:</b> a block belongs to one leg at a time and leaves it once: to Spark's listener, or from the RDMA
 * leg to a Netty leg. Spark's listener is therefore called exactly once for each block.
 *
 * <p><b>Threads:</b> made and started on a task thread, answered on any. No lock is held while Spark's listener runs.
 */
final class RoutedFetch {
    private static final Logger log = LoggerFactory.getLogger(RoutedFetch.class);

    private final FetchServices services;
    private final BlockSource source;
    private final BlockFetchingListener listener;
    private final @Nullable DownloadFileManager downloadFiles;
    private final Optional<StageAttempt> stage = StageAttempt.current();

    RoutedFetch(
            FetchServices services,
            BlockSource source,
            BlockFetchingListener listener,
            @Nullable DownloadFileManager downloadFiles) {
        this.services = services;
        this.source = source;
        this.listener = listener;
        this.downloadFiles = downloadFiles;
    }

    /** Starts the legs of all blocks. RDMA goes first because it returns at once; Netty may have to connect. */
    void start(FetchPlan plan) {
        if (!plan.candidates().isEmpty()) {
            new RdmaLeg(plan.candidates()).start();
        }
        plan.refused().forEach((reason, blockIds) -> services.metrics().fellBack(reason, blockIds.size()));
        plan.refused().forEach((reason, blockIds) -> new NettyLeg(reason, blockIds).start());
    }

    /** Counts a leg when its last block has left it, and its time only if all blocks came by this leg. */
    private Runnable finishing(Transport transport, BooleanSupplier whole) {
        long startNanos = services.clock().nanoTime();
        return () -> {
            services.metrics().finished(transport);
            if (whole.getAsBoolean()) {
                services.metrics().took(transport, services.clock().nanoTime() - startNanos);
            }
        };
    }

    private final class RdmaLeg implements RdmaTransport.Receiver {
        private final List<String> blockIds;
        private final OutstandingBlocks outstanding;
        private volatile boolean handedBack;

        RdmaLeg(List<String> blockIds) {
            this.blockIds = List.copyOf(blockIds);
            this.outstanding = new OutstandingBlocks(blockIds, finishing(Transport.RDMA, () -> !handedBack));
        }

        void start() {
            try {
                services.transport().fetch(source, blockIds, this, downloadFiles);
            } catch (RuntimeException | LinkageError e) {
                log.debug("The RDMA transport threw", e);
                handedBack = true;
                fallBack(outstanding.takeRest(), FallbackReason.TRANSPORT_ERROR, e.toString());
            }
        }

        @Override
        public void delivered(String blockId, ManagedBuffer buffer) {
            if (outstanding.take(blockId)) {
                services.metrics().deliveredByRdma(stage, buffer.size());
                listener.onBlockFetchSuccess(blockId, buffer);
            }
        }

        @Override
        public void handedBack(Collection<String> blockIds, FallbackReason reason, String detail) {
            handedBack = true;
            fallBack(outstanding.takeAll(blockIds), reason, detail);
        }

        /**
         * Starts the Netty leg on another thread, because it may have to connect and the current thread may serve many
         * fetches.
         */
        private void fallBack(List<String> taken, FallbackReason reason, String detail) {
            if (taken.isEmpty()) {
                return;
            }
            services.metrics().fellBack(reason, taken.size());
            services.routes().handedBack(source.host(), reason, detail);
            NettyLeg leg = new NettyLeg(reason, taken);
            try {
                services.fallbackExecutor().execute(leg::startOrFail);
            } catch (RuntimeException e) {
                leg.failRest(e);
            }
        }
    }

    private final class NettyLeg implements BlockFetchingListener {
        private final FallbackReason reason;
        private final List<String> blockIds;
        private final OutstandingBlocks outstanding;
        private volatile boolean broken;

        NettyLeg(FallbackReason reason, List<String> blockIds) {
            this.reason = reason;
            this.blockIds = blockIds;
            this.outstanding = new OutstandingBlocks(blockIds, finishing(Transport.NETTY, () -> !broken));
        }

        /** Starts on a task thread, which handles what Netty throws as it does without the plugin. */
        void start() {
            services.netty()
                    .fetchBlocks(
                            source.host(),
                            source.port(),
                            source.execId(),
                            blockIds.toArray(String[]::new),
                            this,
                            downloadFiles);
        }

        /**
         * Starts on a thread of the plugin. An exception of Netty must fail the blocks here, or the task would wait for
         * ever.
         */
        void startOrFail() {
            try {
                start();
            } catch (Throwable e) {
                failRest(e);
            }
        }

        void failRest(Throwable cause) {
            broken = true;
            outstanding.takeRest().forEach(blockId -> report(blockId, cause));
        }

        @Override
        public void onBlockFetchSuccess(String blockId, ManagedBuffer buffer) {
            if (outstanding.take(blockId)) {
                services.metrics().deliveredByNetty(reason, stage, buffer.size());
                listener.onBlockFetchSuccess(blockId, buffer);
            }
        }

        @Override
        public void onBlockFetchFailure(String blockId, Throwable cause) {
            broken = true;
            if (outstanding.take(blockId)) {
                report(blockId, cause);
            }
        }

        private void report(String blockId, Throwable cause) {
            services.metrics().failed();
            listener.onBlockFetchFailure(blockId, cause);
        }
    }
}
