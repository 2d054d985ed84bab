package io.boltshuffle.client;

import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The agent's order to lay one block of this process out in its memory.
 *
 * <p><b>Invariant:</b> it is answered once, by {@link #laid} or {@link #failed}; the memory must not be touched after
 * that, nor be written by anybody before {@link #memory} brought it.
 *
 * <p><b>Threads:</b> any one at a time, but for the client's, which must not wait.
 */
public final class LayOut {

    /** Receives the answers to an order. Any thread may call it. */
    interface Answers {
        void size(LayOut order, long bytes);

        void laid(LayOut order);

        void failed(LayOut order, FailureReason reason, String detail);
    }

    private final long askId;
    private final LiveBlock block;
    private final long maxBytes;
    private final long timeoutMillis;
    private final Answers answers;
    private final CompletableFuture<ByteBuffer> memory = new CompletableFuture<>();
    private final AtomicBoolean answered = new AtomicBoolean();

    LayOut(long askId, LiveBlock block, long maxBytes, long timeoutMillis, Answers answers) {
        this.askId = askId;
        this.block = block;
        this.maxBytes = maxBytes;
        this.timeoutMillis = timeoutMillis;
        this.answers = answers;
    }

    public LiveBlock block() {
        return block;
    }

    /** Returns the size above which the block is not wanted. */
    public long maxBytes() {
        return maxBytes;
    }

    /**
     * Asks for memory for the whole block, and returns at once. Nobody waits for the memory with a thread or a lock in
     * hand: the block may be gone, or be another one, when the memory comes.
     *
     * @param bytes of the block, at least 1 and at most {@link #maxBytes}
     * @param taker is called once, on any thread, which must not wait: with the memory, or with an {@link IOException}
     *     if the block is not wanted any more or the agent is gone, or a {@link
     *     java.util.concurrent.TimeoutException} if the agent had no memory in time
     */
    public void memory(long bytes, BiConsumer<@Nullable ByteBuffer, @Nullable Throwable> taker) {
        if (bytes < 1 || bytes > maxBytes) {
            throw new IllegalArgumentException("a block of " + bytes + " bytes, asked for at most " + maxBytes);
        }
        answers.size(this, bytes);
        CompletableFuture<ByteBuffer> unused =
                memory.orTimeout(timeoutMillis, TimeUnit.MILLISECONDS).whenComplete(taker);
    }

    /** The whole block lies in the memory. */
    public void laid() {
        if (answered.compareAndSet(false, true)) {
            answers.laid(this);
        }
    }

    /** The block will not come. It has no effect after another answer. */
    public void failed(FailureReason reason, String detail) {
        if (answered.compareAndSet(false, true)) {
            answers.failed(this, reason, detail);
        }
    }

    long askId() {
        return askId;
    }

    /** Memory has come. Returns false if nobody waits for it any more. */
    boolean offer(ByteBuffer bytes) {
        return memory.complete(bytes);
    }

    /** No memory will come. */
    void refuse(String why) {
        memory.completeExceptionally(new IOException(why));
    }
}
