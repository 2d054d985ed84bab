package io.boltshuffle.rdma.verbs;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.verbs.Abi.CompChannel;

/**
 * The completion channel of one completion queue: a file descriptor that can be read once a completion was announced.
 *
 * <p><b>Threads:</b> used by the thread that polls the queue; made and closed by control calls.
 *
 * <p><b>Ownership:</b> its queue closes it, after the queue itself was destroyed.
 */
final class CompletionChannel {

    private final JnaDevice device;
    private final VerbsEvents functions;
    private final Handle channel;
    private final int descriptor;
    private final NativeBlock queueOfEvent = new NativeBlock(Long.BYTES);
    private final NativeBlock contextOfEvent = new NativeBlock(Long.BYTES);

    CompletionChannel(JnaDevice device, VerbsEvents functions, Pointer channel) {
        this.device = device;
        this.functions = functions;
        this.channel = new Handle("completion channel of " + device.name(), channel);
        this.descriptor = channel.getInt(CompChannel.FD);
    }

    /** Returns the channel as {@code ibv_create_cq} takes it. */
    Pointer pointer() {
        return channel.get();
    }

    int descriptor() {
        return descriptor;
    }

    /** Takes one event, which the descriptor has said is there, and acknowledges it. */
    void take() throws VerbsException {
        int returned = functions.ibv_get_cq_event(channel.get(), queueOfEvent.pointer(), contextOfEvent.pointer());
        if (returned != 0) {
            throw device.failure(VerbsCall.GET_CQ_EVENT, Native.getLastError());
        }
        functions.ibv_ack_cq_events(queueOfEvent.pointer().getPointer(0), 1);
    }

    /** Closes the channel after a failure. While the device is stuck, the call is put off. */
    void closeAfter(VerbsException failure) {
        try {
            close();
        } catch (VerbsException e) {
            failure.addSuppressed(e);
        }
    }

    void close() throws VerbsException {
        device.destroy(VerbsCall.DESTROY_COMP_CHANNEL, channel, functions::ibv_destroy_comp_channel);
        queueOfEvent.close();
        contextOfEvent.close();
    }
}
