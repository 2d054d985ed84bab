package io.boltshuffle.rdma.verbs;

import com.sun.jna.Pointer;
import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.Completions;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.verbs.Abi.Context;
import io.boltshuffle.rdma.verbs.Abi.Cq;

/**
 * A completion queue of a {@link JnaDevice}.
 *
 * <p><b>Threads:</b> polled by one thread at a time.
 */
final class JnaCompletionQueue implements CompletionQueue {

    private final JnaDevice device;
    private final Handle queue;
    private final long pollFunction;

    JnaCompletionQueue(JnaDevice device, Pointer queue) {
        this.device = device;
        this.queue = new Handle("completion queue of " + device.name(), queue);
        this.pollFunction = queue.getPointer(Cq.CONTEXT).getLong(Context.OPS_POLL_CQ);
    }

    JnaDevice device() {
        return device;
    }

    long address() {
        return Pointer.nativeValue(queue.get());
    }

    @Override
    public Completions newCompletions(int capacity) {
        return new JnaCompletions(this, pollFunction, capacity);
    }

    @Override
    public int poll(Completions into) throws VerbsException {
        if (!(into instanceof JnaCompletions ours) || !ours.isOf(this)) {
            throw new IllegalArgumentException("these completions belong to another completion queue");
        }
        if (!queue.isOpen()) {
            throw new IllegalStateException("poll after the completion queue of " + device.name() + " was closed");
        }
        int returned = ours.poll();
        if (returned < 0) {
            throw device.failure(VerbsCall.POLL_CQ, returned);
        }
        return returned;
    }

    @Override
    public void close() throws VerbsException {
        device.destroy(VerbsCall.DESTROY_CQ, queue, device.functions()::ibv_destroy_cq);
    }
}
