package io.boltshuffle.rdma.verbs;

import com.sun.jna.Pointer;
import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.GrantedDepth;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.QueuePairAddress;
import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.ReceiveBatch;
import io.boltshuffle.rdma.SendBatch;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.verbs.Abi.Const;
import io.boltshuffle.rdma.verbs.Abi.Context;
import io.boltshuffle.rdma.verbs.Abi.Qp;
import io.boltshuffle.rdma.verbs.Abi.QpAttr;
import io.boltshuffle.rdma.verbs.Abi.QpInitAttr;
import io.boltshuffle.rdma.verbs.Abi.RecvWr;
import io.boltshuffle.rdma.verbs.Abi.SendWr;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * A queue pair of a {@link JnaDevice}.
 *
 * <p><b>Threads:</b> posts are confined to the thread that owns the queue pair; everything else from any thread.
 */
final class JnaQueuePair implements QueuePair {

    private final JnaDevice device;
    private final Handle queuePair;
    private final QueuePairType type;
    private final int number;
    private final long postSendFunction;
    private final long postReceiveFunction;

    JnaQueuePair(JnaDevice device, Pointer queuePair, QueuePairType type) {
        this.device = device;
        this.queuePair = new Handle("queue pair of " + device.name(), queuePair);
        this.type = type;
        this.number = queuePair.getInt(Qp.QP_NUM);
        Pointer context = queuePair.getPointer(Qp.CONTEXT);
        this.postSendFunction = context.getLong(Context.OPS_POST_SEND);
        this.postReceiveFunction = context.getLong(Context.OPS_POST_RECV);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public GrantedDepth grantedDepth() throws VerbsException {
        return query(
                Const.IBV_QP_CAP,
                bytes -> new GrantedDepth(bytes.getInt(QpAttr.CAP_MAX_SEND_WR), bytes.getInt(QpAttr.CAP_MAX_RECV_WR)));
    }

    private <T> T query(int mask, Function<ByteBuffer, T> read) throws VerbsException {
        return device.query(
                VerbsCall.QUERY_QP,
                QpAttr.SIZE,
                (memory, attributes) -> {
                    Pointer initial = memory.allocate(QpInitAttr.SIZE).pointer();
                    return device.functions().ibv_query_qp(queuePair.get(), attributes, mask, initial);
                },
                read);
    }

    @Override
    public void initialize(int port, Set<AccessFlag> access) throws VerbsException {
        modify(VerbsCall.MODIFY_QP_INIT, attributes -> StateChange.toInit(attributes, port, access));
    }

    @Override
    public void readyToReceive(int port, int localGidIndex, QueuePairAddress peer, int pathMtu) throws VerbsException {
        StateChange.Path path = new StateChange.Path(port, localGidIndex, peer, pathMtu);
        int reads = readDepth();
        modify(VerbsCall.MODIFY_QP_RTR, attributes -> {
            int mask = StateChange.toReadyToReceive(attributes, path);
            return isReliable() ? mask | StateChange.addReliableReceiver(attributes, reads) : mask;
        });
    }

    @Override
    public void readyToSend(int packetSequenceNumber) throws VerbsException {
        int reads = readDepth();
        modify(VerbsCall.MODIFY_QP_RTS, attributes -> {
            int mask = StateChange.toReadyToSend(attributes, packetSequenceNumber);
            return isReliable() ? mask | StateChange.addReliableSender(attributes, reads) : mask;
        });
    }

    /**
     * Changes the state to ERROR, which flushes what is posted. Only tests do this, as they cannot make a device do it:
     * on Apple's provider, regions may then not be given back, so no link can reach this method.
     */
    void fail() throws VerbsException {
        modify(VerbsCall.MODIFY_QP_ERR, StateChange::toError);
    }

    private boolean isReliable() {
        return type == QueuePairType.RELIABLE_CONNECTED;
    }

    private int readDepth() throws VerbsException {
        return isReliable() ? device.readDepth() : 0;
    }

    /** @param fill fills the attributes and returns their mask */
    private void modify(VerbsCall call, ToIntFunction<ByteBuffer> fill) throws VerbsException {
        device.run(call, memory -> {
            NativeBlock attributes = memory.allocate(QpAttr.SIZE);
            int mask = fill.applyAsInt(attributes.bytes());
            return device.functions().ibv_modify_qp(queuePair.get(), attributes.pointer(), mask);
        });
    }

    @Override
    public SendBatch newSendBatch(int capacity) {
        return new JnaSendBatch(this, new WorkRequestChain(capacity, SendWr.SIZE, postSendFunction, address()));
    }

    @Override
    public ReceiveBatch newReceiveBatch(int capacity) {
        return new JnaReceiveBatch(this, new WorkRequestChain(capacity, RecvWr.SIZE, postReceiveFunction, address()));
    }

    private long address() {
        return Pointer.nativeValue(queuePair.get());
    }

    @Override
    public void post(SendBatch batch) throws VerbsException {
        if (!(batch instanceof JnaSendBatch ours) || !ours.isOf(this)) {
            throw new IllegalArgumentException("this batch belongs to another queue pair");
        }
        requireOpen();
        int returned = ours.post();
        if (returned != 0) {
            throw device.failure(VerbsCall.POST_SEND, returned);
        }
    }

    @Override
    public void post(ReceiveBatch batch) throws VerbsException {
        if (!(batch instanceof JnaReceiveBatch ours) || !ours.isOf(this)) {
            throw new IllegalArgumentException("this batch belongs to another queue pair");
        }
        requireOpen();
        int returned = ours.post();
        if (returned != 0) {
            throw device.failure(VerbsCall.POST_RECV, returned);
        }
    }

    private void requireOpen() {
        if (!queuePair.isOpen()) {
            throw new IllegalStateException("post after queue pair " + number + " of " + device.name() + " was closed");
        }
    }

    @Override
    public void close() throws VerbsException {
        device.destroy(VerbsCall.DESTROY_QP, queuePair, device.functions()::ibv_destroy_qp);
    }
}
