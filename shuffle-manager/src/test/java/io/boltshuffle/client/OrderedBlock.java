package io.boltshuffle.client;

import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An order without an agent, which records the answer. Memory is there at once, or as the test has it. */
public final class OrderedBlock implements LayOut.Answers {

    /** The agent's answer when it hears the size. */
    public enum Agent {
        LENDS,
        REFUSES,
        /** It has no memory yet: {@link #lend} brings it. */
        WAITS
    }

    private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 20);
    private final LayOut order;
    private final Agent agent;
    private final CountDownLatch sized = new CountDownLatch(1);
    private final CompletableFuture<String> answer = new CompletableFuture<>();
    private long size;

    public OrderedBlock(LiveBlock block, long maxBytes, Agent agent) {
        this(block, maxBytes, agent, TimeUnit.SECONDS.toMillis(20));
    }

    /** @param timeoutMillis how long the order waits for memory */
    public OrderedBlock(LiveBlock block, long maxBytes, Agent agent, long timeoutMillis) {
        this.order = new LayOut(1, block, maxBytes, timeoutMillis, this);
        this.agent = agent;
    }

    public LayOut order() {
        return order;
    }

    @Override
    public void size(LayOut ofOrder, long bytes) {
        size = bytes;
        sized.countDown();
        if (agent == Agent.LENDS) {
            lend();
        } else if (agent == Agent.REFUSES) {
            order.refuse("there is none");
        }
    }

    /** The agent has memory now. */
    public void lend() {
        order.offer(memory.slice(0, (int) size));
    }

    /** Waits until the agent knows the size. */
    public void awaitSize() throws InterruptedException {
        if (!sized.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("the agent heard of no size");
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
