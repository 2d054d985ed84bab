package io.boltshuffle.rdma.verbs;

import com.sun.jna.Pointer;
import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.Completions;
import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.verbs.Abi.Context;
import io.boltshuffle.rdma.verbs.Abi.Cq;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue of a {@link JnaDevice}.
 *
 * <p><b>Threads:</b> polled and armed by one thread at a time.
 */
final class JnaCompletionQueue implements CompletionQueue {

    private final JnaDevice device;
    private final Handle queue;
    private final long pollFunction;
    private final @Nullable CompletionChannel channel;
    private final @Nullable TableCall notification;
    /** Whether an announcement was asked for that has not been taken. */
    private boolean armed;

    /** @param channel where the queue announces its completions, or null */
    JnaCompletionQueue(JnaDevice device, Pointer queue, @Nullable CompletionChannel channel) {
        this.device = device;
        this.queue = new Handle("completion queue of " + device.name(), queue);
        Pointer context = queue.getPointer(Cq.CONTEXT);
        this.pollFunction = context.getLong(Context.OPS_POLL_CQ);
        this.channel = channel;
        this.notification = channel == null
                ? null
                : TableCall.requestNotification(context.getLong(Context.OPS_REQ_NOTIFY_CQ), Pointer.nativeValue(queue));
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
        checkOpen("poll");
        int returned = ours.poll();
        if (returned < 0) {
            throw device.failure(VerbsCall.POLL_CQ, returned);
        }
        return returned;
    }

    private void checkOpen(String call) {
        if (!queue.isOpen()) {
            throw new IllegalStateException(call + " after the completion queue of " + device.name() + " was closed");
        }
    }

    @Override
    public boolean isAnnounced() {
        return channel != null;
    }

    @Override
    public void arm() throws VerbsException {
        if (notification == null) {
            throw new IllegalStateException("the completion queue of " + device.name() + " has no completion channel");
        }
        checkOpen("arm");
        if (armed) {
            return;
        }
        int returned = notification.invoke();
        if (returned != 0) {
            throw device.failure(VerbsCall.REQ_NOTIFY_CQ, returned);
        }
        armed = true;
    }

    /** Returns the descriptor that becomes readable once a completion is announced. */
    int descriptor() {
        checkOpen("sleep");
        if (channel == null) {
            throw new IllegalArgumentException("the completion queue of " + device.name() + " announces nothing");
        }
        return channel.descriptor();
    }

    /** Takes an announcement. The descriptor has said that there is one. */
    void takeAnnouncement() throws VerbsException {
        if (channel != null) {
            armed = false;
            channel.take();
        }
    }

    @Override
    public void close() throws VerbsException {
        try {
            device.destroy(VerbsCall.DESTROY_CQ, queue, device.functions()::ibv_destroy_cq);
        } catch (DeviceStuckException e) {
            if (channel != null) {
                channel.closeAfter(e);
            }
            throw e;
        }
        if (channel != null) {
            channel.close();
        }
        if (notification != null) {
            notification.close();
        }
    }
}
