package io.boltshuffle.rdma.verbs;

import io.boltshuffle.rdma.verbs.Abi.SendWr;
import io.boltshuffle.rdma.verbs.Abi.Sge;
import java.nio.ByteBuffer;

/**
 * An array of work requests, each permanently linked to the next, each with one scatter-gather entry. For the time of a
 * post, the chain is cut behind the last filled request.
 *
 * <p>The memory holds the requests, then the entries, then the {@code bad_wr} out-pointer, which Apple's provider
 * leaves unset.
 *
 * <p><b>Threads:</b> confined to the thread that owns the queue pair.
 */
final class WorkRequestChain implements AutoCloseable {

    private final int capacity;
    private final int requestBytes;
    private final NativeBlock block;
    private final TableCall call;
    private int count;

    /** @param requestBytes size of a send or of a receive request; both begin with the same members */
    WorkRequestChain(int capacity, int requestBytes, long postFunction, long queuePair) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a batch holds at least one work request, not " + capacity);
        }
        this.capacity = capacity;
        this.requestBytes = requestBytes;
        int entries = Math.multiplyExact(capacity, requestBytes);
        int badRequest = Math.addExact(entries, Math.multiplyExact(capacity, Sge.SIZE));
        this.block = new NativeBlock(Math.addExact(badRequest, Long.BYTES));
        this.call = TableCall.post(postFunction, queuePair, block.address(), block.address() + badRequest);
        for (int i = 0; i < capacity; i++) {
            int request = i * requestBytes;
            bytes().putLong(request + SendWr.SG_LIST, block.address() + entries + (long) i * Sge.SIZE);
            bytes().putInt(request + SendWr.NUM_SGE, 1);
            link(i);
        }
    }

    private void link(int index) {
        long next = index + 1 < capacity ? block.address() + (long) (index + 1) * requestBytes : 0;
        bytes().putLong(index * requestBytes + SendWr.NEXT, next);
    }

    ByteBuffer bytes() {
        return block.bytes();
    }

    int capacity() {
        return capacity;
    }

    int count() {
        return count;
    }

    /** Fills the next request except for the members that only sends have; returns its offset in {@link #bytes()}. */
    int append(long workRequestId, long address, int length, int localKey) {
        if (count == capacity) {
            throw new IllegalStateException("the batch is full with " + capacity + " work requests");
        }
        if (length < 1) {
            throw new IllegalArgumentException("a work request moves at least one byte, not " + length);
        }
        int request = count * requestBytes;
        int entry = capacity * requestBytes + count * Sge.SIZE;
        ByteBuffer bytes = bytes();
        bytes.putLong(request + SendWr.WR_ID, workRequestId);
        bytes.putLong(entry + Sge.ADDR, address);
        bytes.putInt(entry + Sge.LENGTH, length);
        bytes.putInt(entry + Sge.LKEY, localKey);
        count++;
        return request;
    }

    /**
     * Posts what was appended. Returns 0, or what the library returned, of either sign. It keeps the requests on
     * failure.
     */
    int post() {
        if (count == 0) {
            return 0;
        }
        int last = count - 1;
        bytes().putLong(last * requestBytes + SendWr.NEXT, 0);
        int returned = call.invoke();
        link(last);
        if (returned == 0) {
            count = 0;
        }
        return returned;
    }

    @Override
    public void close() {
        count = 0;
        call.close();
        block.close();
    }
}
