package io.boltshuffle.client;

import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The agent's order to lay one block of this process out in its memory.
 *
 * <p><b>Invariant:</b> it is answered once, by {@link #laid} or {@link #failed}; the memory must not be touched after
 * that, nor be written by anybody before {@link #memory} returned it.
 *
 * <p><b>Threads:</b> any one at a time, but for the client's, which must not wait.
 */
public final class LayOut {

    /** What becomes of an order. Any thread may call it. */
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
     * Returns memory for the whole block; waits until the agent has some. The block must stay as it is from before this
     * call until the order is answered.
     *
     * @param bytes of the block, at least 1 and at most {@link #maxBytes}
     * @throws IOException if the block is not wanted any more, or the agent answers too late or is gone
     */
    public ByteBuffer memory(long bytes) throws IOException, InterruptedException {
        if (bytes < 1 || bytes > maxBytes) {
            throw new IllegalArgumentException("a block of " + bytes + " bytes, asked for at most " + maxBytes);
        }
        answers.size(this, bytes);
        try {
            return memory.get(timeoutMillis, TimeUnit.MILLISECONDS).duplicate();
        } catch (TimeoutException e) {
            throw new IOException("the agent had no memory for the block within " + timeoutMillis + " ms", e);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
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
