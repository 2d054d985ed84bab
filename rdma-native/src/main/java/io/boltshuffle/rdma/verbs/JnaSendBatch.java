package io.boltshuffle.rdma.verbs;

import io.boltshuffle.rdma.SendBatch;
import io.boltshuffle.rdma.verbs.Abi.Const;
import io.boltshuffle.rdma.verbs.Abi.SendWr;

/** Send-queue work requests of one queue pair, all signaled. */
final class JnaSendBatch implements SendBatch {

    private final JnaQueuePair owner;
    private final WorkRequestChain chain;

    JnaSendBatch(JnaQueuePair owner, WorkRequestChain chain) {
        this.owner = owner;
        this.chain = chain;
        for (int i = 0; i < chain.capacity(); i++) {
            chain.bytes().putInt(i * SendWr.SIZE + SendWr.SEND_FLAGS, Const.IBV_SEND_SIGNALED);
        }
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
    public void addSend(long workRequestId, long address, int length, int localKey) {
        int request = chain.append(workRequestId, address, length, localKey);
        chain.bytes().putInt(request + SendWr.OPCODE, Const.IBV_WR_SEND);
    }

    @Override
    public void addRead(long workRequestId, long address, int length, int localKey, long remoteAddress, int remoteKey) {
        int request = chain.append(workRequestId, address, length, localKey);
        chain.bytes().putInt(request + SendWr.OPCODE, Const.IBV_WR_RDMA_READ);
        chain.bytes().putLong(request + SendWr.WR_RDMA_REMOTE_ADDR, remoteAddress);
        chain.bytes().putInt(request + SendWr.WR_RDMA_RKEY, remoteKey);
    }

    @Override
    public void close() {
        chain.close();
    }
}
