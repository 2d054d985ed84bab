package io.boltshuffle.spark.fetch;

import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.spark.meter.StageCounts;
import io.boltshuffle.spark.meter.Transport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private final StageCounts stage;

    RoutedFetch(
            FetchServices services,
            BlockSource source,
            BlockFetchingListener listener,
            @Nullable DownloadFileManager downloadFiles) {
        this.services = services;
        this.source = source;
        this.listener = listener;
        this.downloadFiles = downloadFiles;
        this.stage = services.metrics().ofCurrentStage();
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
            try {
                services.metrics().finished(transport);
                if (whole.getAsBoolean()) {
                    services.metrics().took(transport, services.clock().nanoTime() - startNanos);
                }
            } catch (RuntimeException | Error e) { // the last block still has to be delivered
                DefectLog.error(log, "A fetch was not counted", e);
            }
        };
    }

    private final class RdmaLeg implements RdmaTransport.Receiver {
        private final List<String> blockIds;
        private final OutstandingBlocks outstanding;
        private final HandedBackBlocks handedBack;
        private volatile boolean whole = true;
        private volatile boolean foundAny;

        RdmaLeg(List<String> blockIds) {
            this.blockIds = List.copyOf(blockIds);
            this.handedBack = new HandedBackBlocks(blockIds.size());
            this.outstanding = new OutstandingBlocks(blockIds.size(), finishing(Transport.RDMA, () -> whole));
        }

        void start() {
            try {
                services.transport().fetch(source, blockIds, this, downloadFiles);
            } catch (RuntimeException | LinkageError e) {
                log.debug("The RDMA transport threw", e);
                for (int block = 0; block < blockIds.size(); block++) {
                    handedBack(block, FallbackReason.TRANSPORT_ERROR, e.toString());
                }
            }
        }

        @Override
        public void delivered(int block, ManagedBuffer buffer) {
            foundAny = true;
            if (outstanding.take(block)) {
                try {
                    services.metrics().deliveredByRdma(stage, buffer.size());
                } finally { // the task waits for the block, whatever is thrown
                    listener.onBlockFetchSuccess(blockIds.get(block), buffer);
                }
            }
        }

        @Override
        public void handedBack(int block, FallbackReason reason, String detail) {
            whole = false;
            if (outstanding.take(block)) {
                try {
                    services.metrics().fellBack(reason, 1);
                    services.routes().handedBack(source.host(), reason, detail);
                } finally { // the task waits for the block, whatever is thrown
                    if (handedBack.add(block, reason)) {
                        fallBack();
                    }
                }
            }
        }

        /**
         * Starts the Netty legs on another thread, because they may have to connect and the current thread may serve
         * many fetches. Blocks that are handed back before that thread comes go together, rather than by a request for
         * each.
         */
        private void fallBack() {
            try {
                services.fallbacks().start(source, this::startLegs);
            } catch (RuntimeException | Error e) {
                failFrom(handedBack.takeAll(), e);
            }
        }

        private void startLegs() {
            int first = handedBack.takeAll();
            List<NettyLeg> legs;
            try {
                legs = legsFrom(first);
            } catch (RuntimeException | Error e) { // such as want of memory
                failFrom(first, e);
                return;
            }
            legs.forEach(NettyLeg::startOrFail);
        }

        private List<NettyLeg> legsFrom(int first) {
            Map<FallbackReason, List<String>> byReason = new EnumMap<>(FallbackReason.class);
            for (int block = first; block != HandedBackBlocks.NONE; block = handedBack.after(block)) {
                byReason.computeIfAbsent(handedBack.reason(block), key -> new ArrayList<>())
                        .add(blockIds.get(block));
            }
            List<NettyLeg> legs = new ArrayList<>();
            byReason.forEach((reason, ids) ->
                    legs.add(new NettyLeg(reason, ids, !foundAny && reason == FallbackReason.BLOCK_NOT_FOUND)));
            return legs;
        }

        /** Fails blocks that were taken and have no leg. */
        private void failFrom(int first, Throwable cause) {
            for (int block = first; block != HandedBackBlocks.NONE; block = handedBack.after(block)) {
                reportOrLog(blockIds.get(block), cause);
            }
        }
    }

    private final class NettyLeg implements BlockFetchingListener {
        private final FallbackReason reason;
        private final List<String> blockIds;
        /** Netty names blocks; this tells their places. */
        private final Map<String, Integer> places = new HashMap<>();

        private final OutstandingBlocks outstanding;
        private final boolean onlyNettyFinds;
        private volatile boolean broken;

        NettyLeg(FallbackReason reason, List<String> blockIds) {
            this(reason, blockIds, false);
        }

        /** @param onlyNettyFinds whether the agent found none of the request's blocks */
        NettyLeg(FallbackReason reason, List<String> blockIds, boolean onlyNettyFinds) {
            this.reason = reason;
            this.onlyNettyFinds = onlyNettyFinds;
            this.blockIds = blockIds;
            blockIds.forEach(blockId -> places.putIfAbsent(blockId, places.size()));
            this.outstanding = new OutstandingBlocks(places.size(), finishing(Transport.NETTY, () -> !broken));
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
            for (String blockId : blockIds) {
                if (take(blockId)) {
                    reportOrLog(blockId, cause);
                }
            }
        }

        @Override
        public void onBlockFetchSuccess(String blockId, ManagedBuffer buffer) {
            if (take(blockId)) {
                try {
                    if (onlyNettyFinds) {
                        services.elsewhere().foundByNetty(source.host(), blockId);
                    }
                    services.metrics().deliveredByNetty(reason, stage, buffer.size());
                } finally {
                    listener.onBlockFetchSuccess(blockId, buffer);
                }
            }
        }

        @Override
        public void onBlockFetchFailure(String blockId, Throwable cause) {
            broken = true;
            if (take(blockId)) {
                report(blockId, cause);
            }
        }

        private boolean take(String blockId) {
            Integer place = places.get(blockId);
            return place != null && outstanding.take(place);
        }
    }

    private void report(String blockId, Throwable cause) {
        try {
            services.metrics().failed();
        } finally {
            listener.onBlockFetchFailure(blockId, cause);
        }
    }

    /** Goes on if the listener breaks, because other blocks have to be reported, too. */
    private void reportOrLog(String blockId, Throwable cause) {
        try {
            report(blockId, cause);
        } catch (RuntimeException | Error e) {
            DefectLog.error(log, "Spark's listener broke as it was told of a block that failed", e);
        }
    }
}
