package io.boltshuffle.spark.block;

import io.boltshuffle.client.LayOut;
import io.boltshuffle.client.LayOutHandler;
import io.boltshuffle.spark.fetch.LiveBlockName;
import io.boltshuffle.wire.FailureReason;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.storage.BlockId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lays blocks of this process out in the agent's memory: the same bytes that Spark's own service would send, which
 * decrypts what the disk store has encrypted. Spark's lock on the block is held from before its size is told until it
 * is copied.
 *
 * <p><b>Threads:</b> a few of its own; orders that do not fit their queue are refused at once.
 */
final class BlockLayer implements LayOutHandler, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BlockLayer.class);

    static final int THREADS = 4;
    static final int QUEUE = 64;
    /** Stays in the processor's cache between the block's stream and the agent's memory. */
    private static final int COPY_BYTES = 256 << 10;

    private final Function<BlockId, ManagedBuffer> blocks;
    private final BlockMetrics metrics;
    private final ThreadPoolExecutor threads;

    /** @param blocks returns a block with Spark's lock on it, which ends with the buffer's release, or throws */
    BlockLayer(Function<BlockId, ManagedBuffer> blocks, BlockMetrics metrics) {
        this.blocks = blocks;
        this.metrics = metrics;
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE), task -> {
                    Thread thread = new Thread(task, "boltshuffle-blocks");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void onOrder(LayOut order) {
        try {
            threads.execute(() -> layOut(order));
        } catch (RejectedExecutionException e) {
            metrics.notLaidOut();
            order.failed(
                    FailureReason.OVERLOADED,
                    threads.isShutdown() ? "the process stops" : QUEUE + " blocks wait to be laid out");
        }
    }

    private void layOut(LayOut order) {
        String name = LiveBlockName.of(order.block());
        try {
            ManagedBuffer block = blocks.apply(BlockId.apply(name));
            try {
                copy(block, order);
            } finally {
                block.release();
            }
        } catch (InterruptedException e) {
            refuse(order, FailureReason.STOPPING, "the process stops");
        } catch (IOException e) {
            refuse(order, FailureReason.READ_ERROR, name + ": " + e.getMessage());
        } catch (Exception | LinkageError e) { // Scala declares none: the block is gone, or its store is broken
            refuse(order, FailureReason.UNKNOWN_BLOCK, name + ": " + e);
        } catch (OutOfMemoryError e) { // a block that Spark has to serialize first: Netty's answer is the same
            refuse(order, FailureReason.NO_MEMORY, name + ": " + e);
        }
    }

    private void copy(ManagedBuffer block, LayOut order) throws IOException, InterruptedException {
        long bytes = block.size();
        if (bytes < 1 || bytes > order.maxBytes()) {
            refuse(
                    order,
                    FailureReason.TOO_LARGE,
                    "has " + bytes + " bytes; 1 to " + order.maxBytes() + " come by RDMA");
            return;
        }
        ByteBuffer into = order.memory(bytes);
        try (InputStream from = block.createInputStream()) {
            byte[] part = new byte[(int) Math.min(COPY_BYTES, bytes)];
            while (into.hasRemaining()) {
                int count = from.read(part, 0, Math.min(part.length, into.remaining()));
                if (count < 0) {
                    throw new EOFException("ends " + into.remaining() + " bytes before its size");
                }
                into.put(part, 0, count);
            }
            if (from.read() >= 0) {
                throw new IOException("goes on after its size of " + bytes + " bytes");
            }
        }
        metrics.laidOut(BlockClass.of(order.block()), bytes);
        order.laid();
    }

    private void refuse(LayOut order, FailureReason reason, String detail) {
        log.debug("{} is not laid out: {}", order.block(), detail);
        metrics.notLaidOut();
        order.failed(reason, detail);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
