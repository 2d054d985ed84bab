package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.ReceiveBatch;
import io.boltshuffle.rdma.SendBatch;
import io.boltshuffle.rdma.link.MessageCut;
import java.util.ArrayList;
import java.util.List;

/** Work requests in a list instead of native memory. */
final class SimBatch implements SendBatch, ReceiveBatch {

    /** One work request; the last two components count for reads only. */
    record Work(long id, long address, int length, int localKey, boolean read, long remoteAddress, int remoteKey) {

        int frames() {
            return MessageCut.frames(length);
        }
    }

    private final List<Work> work = new ArrayList<>();
    private final int capacity;

    SimBatch(int capacity) {
        this.capacity = capacity;
    }

    List<Work> take() {
        List<Work> taken = List.copyOf(work);
        work.clear();
        return taken;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int count() {
        return work.size();
    }

    @Override
    public void addReceive(long id, long address, int length, int localKey) {
        add(new Work(id, address, length, localKey, false, 0, 0));
    }

    @Override
    public void addSend(long id, long address, int length, int localKey) {
        add(new Work(id, address, length, localKey, false, 0, 0));
    }

    @Override
    public void addRead(long id, long address, int length, int localKey, long remoteAddress, int remoteKey) {
        add(new Work(id, address, length, localKey, true, remoteAddress, remoteKey));
    }

    private void add(Work one) {
        if (work.size() == capacity) {
            throw new IllegalStateException("the batch is full");
        }
        if (one.length() < 1) {
            throw new AssertionError("a work request of " + one.length() + " bytes");
        }
        work.add(one);
    }

    @Override
    public void close() {}
}
