package io.boltshuffle.client;

import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An order without an agent, which records the answer. Memory is there at once, unless none is to come. */
public final class OrderedBlock implements LayOut.Answers {

    private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 20);
    private final LayOut order;
    private final boolean lends;
    private final CompletableFuture<String> answer = new CompletableFuture<>();
    private long size;

    /** @param lends whether the agent has memory */
    public OrderedBlock(LiveBlock block, long maxBytes, boolean lends) {
        this.order = new LayOut(1, block, maxBytes, TimeUnit.SECONDS.toMillis(20), this);
        this.lends = lends;
    }

    public LayOut order() {
        return order;
    }

    @Override
    public void size(LayOut sized, long bytes) {
        size = bytes;
        if (lends) {
            sized.offer(memory.slice(0, (int) bytes));
        } else {
            sized.refuse("there is none");
        }
    }

    @Override
    public void laid(LayOut done) {
        answer.complete("laid");
    }

    @Override
    public void failed(LayOut done, FailureReason reason, @Nullable String detail) {
        answer.complete(reason + ": " + detail);
    }

    /** Waits for the answer. */
    public String answer() throws Exception {
        return answer.get(20, TimeUnit.SECONDS);
    }

    /** Returns what lies in the memory. */
    public byte[] content() {
        byte[] content = new byte[(int) size];
        memory.get(0, content);
        return content;
    }
}
