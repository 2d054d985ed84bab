package io.boltshuffle.rdma.verbs;

import io.boltshuffle.rdma.ReceiveBatch;

/** Receive work requests of one queue pair. */
final class JnaReceiveBatch implements ReceiveBatch {

    private final JnaQueuePair owner;
    private final WorkRequestChain chain;

    JnaReceiveBatch(JnaQueuePair owner, WorkRequestChain chain) {
        this.owner = owner;
        this.chain = chain;
    }

    boolean isOf(JnaQueuePair queuePair) {
        return owner == queuePair;
    }

    int post() {
        return chain.post();
    }

    @Override
    public int capacity() {
        return chain.capacity();
    }

    @Override
    public int count() {
        return chain.count();
    }

    @Override
    public void addReceive(long workRequestId, long address, int length, int localKey) {
        chain.append(workRequestId, address, length, localKey);
    }

    @Override
    public void close() {
        chain.close();
    }
}
