package io.boltshuffle.rdma.verbs;

import io.boltshuffle.rdma.Completions;
import io.boltshuffle.rdma.verbs.Abi.Const;
import io.boltshuffle.rdma.verbs.Abi.Wc;
import java.util.Objects;

/**
 * An array of {@code ibv_wc} that one completion queue fills.
 *
 * <p><b>Threads:</b> confined to the thread that polls.
 */
final class JnaCompletions implements Completions {

    private final JnaCompletionQueue owner;
    private final NativeBlock array;
    private final TableCall call;
    private int count;

    JnaCompletions(JnaCompletionQueue owner, long pollFunction, int capacity) {
        this.owner = owner;
        this.array = new NativeBlock(Math.multiplyExact(capacity, Wc.SIZE));
        this.call = TableCall.poll(pollFunction, owner.address(), capacity, array.address());
    }

    boolean isOf(JnaCompletionQueue queue) {
        return owner == queue;
    }

    /** Polls. Returns what the library returned: a number of completions, or a negative code. */
    int poll() {
        int returned = call.invoke();
        count = Math.max(returned, 0);
        return returned;
    }

    private int at(int index, int offset) {
        return Objects.checkIndex(index, count) * Wc.SIZE + offset;
    }

    @Override
    public long workRequestId(int index) {
        return array.bytes().getLong(at(index, Wc.WR_ID));
    }

    @Override
    public int status(int index) {
        return array.bytes().getInt(at(index, Wc.STATUS));
    }

    @Override
    public boolean isReceive(int index) {
        return (array.bytes().getInt(at(index, Wc.OPCODE)) & Const.IBV_WC_RECV) != 0;
    }

    @Override
    public int byteLength(int index) {
        return array.bytes().getInt(at(index, Wc.BYTE_LEN));
    }

    @Override
    public int vendorError(int index) {
        return array.bytes().getInt(at(index, Wc.VENDOR_ERR));
    }

    @Override
    public void close() {
        count = 0;
        call.close();
        array.close();
    }
}
