package io.boltshuffle.spark.block;

import io.boltshuffle.client.LayOut;
import io.boltshuffle.client.LayOutHandler;
import io.boltshuffle.spark.fetch.LiveBlockName;
import io.boltshuffle.wire.FailureReason;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.storage.BlockId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lays blocks of this process out in the agent's memory: the same bytes that Spark's own service would send, which
 * decrypts what the disk store has encrypted.
 *
 * <p><b>Invariant:</b> no thread waits for the agent's memory, and a block is locked for {@link #PAUSE_MILLIS a moment}
 * at most before its memory is there. Memory that comes later finds the block anew. Each order is answered, whatever is
 * thrown: the agent cannot take memory back that it has lent.
 *
 * <p><b>Threads:</b> a few of its own; orders that do not fit their queue are refused at once.
 */
final class BlockLayer implements LayOutHandler, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BlockLayer.class);

    static final int THREADS = 4;
    static final int QUEUE = 64;
    /** An agent that has memory lends it within this time. To find a block anew may mean to serialize it again. */
    private static final long PAUSE_MILLIS = 50;
    /** Stays in the processor's cache between the block's stream and the agent's memory. */
    private static final int COPY_BYTES = 256 << 10;

    private final Function<BlockId, ManagedBuffer> blocks;
    private final BlockMetrics metrics;
    private final Executor afterPause;
    private final ThreadPoolExecutor threads;

    /** @param blocks returns a block with Spark's lock on it, which ends with the buffer's release, or throws */
    BlockLayer(Function<BlockId, ManagedBuffer> blocks, BlockMetrics metrics) {
        this(blocks, metrics, CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS, Runnable::run));
    }

    /** @param afterPause runs what it is given after a pause, on a thread that is no task's */
    BlockLayer(Function<BlockId, ManagedBuffer> blocks, BlockMetrics metrics, Executor afterPause) {
        this.blocks = blocks;
        this.metrics = metrics;
        this.afterPause = afterPause;
        this.threads =
                new ThreadPoolExecutor(THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "boltshuffle-blocks");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void onOrder(LayOut order) {
        Laying laying = new Laying(order);
        if (threads.getQueue().size() >= QUEUE) {
            laying.refuse(FailureReason.OVERLOADED, QUEUE + " blocks wait to be laid out");
        } else {
            laying.goOn();
        }
    }

    /** Answers the orders that no thread has begun with, too: some may have been lent memory. */
    @Override
    public void close() {
        threads.shutdownNow().forEach(laying -> ((Laying) laying).stop());
    }

    /**
     * The work for one order: it finds the block, and lays it out once there is memory.
     *
     * <p><b>Threads:</b> one at a time, but for {@link #letGo}.
     */
    private final class Laying implements Runnable {
        private final LayOut order;
        private final String name;
        /** The block with Spark's lock on it. */
        private final AtomicReference<@Nullable ManagedBuffer> locked = new AtomicReference<>();

        private long bytes;
        private @Nullable ByteBuffer memory;
        private @Nullable Throwable noMemory;

        Laying(LayOut order) {
            this.order = order;
            this.name = LiveBlockName.of(order.block());
        }

        /** Has one of the threads take the next step. */
        void goOn() {
            try {
                threads.execute(this);
            } catch (RejectedExecutionException e) {
                stop();
            } catch (OutOfMemoryError e) { // no thread can be had
                refuse(FailureReason.NO_MEMORY, e.toString());
            }
        }

        void stop() {
            refuse(FailureReason.OVERLOADED, "the process stops");
        }

        @Override
        public void run() {
            try {
                if (noMemory instanceof TimeoutException) {
                    refuse(FailureReason.NO_MEMORY, "the agent had no memory in time");
                } else if (noMemory != null) {
                    refuse(FailureReason.READ_ERROR, name + ": " + noMemory.getMessage());
                } else if (memory != null) {
                    layOut(memory);
                } else {
                    find();
                }
            } catch (IOException e) {
                refuse(FailureReason.READ_ERROR, name + ": " + e.getMessage());
            } catch (Exception | LinkageError e) { // Scala declares none: the block is gone, or its store is broken
                refuse(FailureReason.UNKNOWN_BLOCK, name + ": " + e);
            } catch (OutOfMemoryError e) { // a block that Spark has to serialize first: Netty's answer is the same
                refuse(FailureReason.NO_MEMORY, name + ": " + e);
            } catch (Error e) { // such as an assertion of Spark's; its own service, too, survives that
                log.error("{} is not laid out", order.block(), e);
                refuse(FailureReason.READ_ERROR, name + ": " + e);
            }
        }

        private void find() {
            ManagedBuffer block = blocks.apply(BlockId.apply(name));
            locked.set(block);
            bytes = block.size();
            if (bytes < 1 || bytes > order.maxBytes()) {
                refuse(FailureReason.TOO_LARGE, "has " + bytes + " bytes; 1 to " + order.maxBytes() + " come by RDMA");
                return;
            }
            afterPause.execute(this::letGo);
            order.memory(bytes, this::onMemory); // last: another thread may go on at once
        }

        private void onMemory(@Nullable ByteBuffer lent, @Nullable Throwable failure) {
            memory = lent;
            noMemory = failure;
            goOn();
        }

        private void layOut(ByteBuffer into) throws IOException {
            ManagedBuffer block = locked.getAndSet(null);
            if (block == null) {
                block = blocks.apply(BlockId.apply(name));
            }
            try {
                if (block.size() != bytes) {
                    throw new IOException("has " + block.size() + " bytes now, and had " + bytes);
                }
                copy(block, into);
                metrics.laidOut(BlockClass.of(order.block()), bytes);
                order.laid();
            } finally {
                block.release();
            }
        }

        private void copy(ManagedBuffer block, ByteBuffer into) throws IOException {
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
        }

        /** Lets the block go if it is locked still, so that Spark may drop it while memory is waited for. */
        private void letGo() {
            ManagedBuffer block = locked.getAndSet(null);
            if (block != null) {
                block.release();
            }
        }

        void refuse(FailureReason reason, String detail) {
            log.debug("{} is not laid out: {}", order.block(), detail);
            metrics.notLaidOut();
            try {
                letGo();
            } finally {
                order.failed(reason, detail);
            }
        }
    }
}
