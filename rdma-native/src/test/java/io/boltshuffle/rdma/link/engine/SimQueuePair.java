package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.CompletionStatus;
import io.boltshuffle.rdma.GrantedDepth;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.QueuePairAddress;
import io.boltshuffle.rdma.ReceiveBatch;
import io.boltshuffle.rdma.SendBatch;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.engine.SimBatch.Work;
import io.boltshuffle.rdma.link.engine.SimCompletionQueue.Entry;
import io.boltshuffle.rdma.link.engine.SimFaults.Kind;
import java.util.ArrayDeque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A queue pair that fails the test when it is over-posted, or used in the wrong state. */
final class SimQueuePair implements QueuePair {

    private enum State {
        RESET,
        INIT,
        READY_TO_RECEIVE,
        READY_TO_SEND
    }

    private final int side;
    private final GrantedDepth granted;
    private final SimCompletionQueue completions;
    private final SimCable cable;
    private final SimFaults faults;
    private final ArrayDeque<Work> sends = new ArrayDeque<>();
    private final ArrayDeque<Work> reads = new ArrayDeque<>();
    private final ArrayDeque<Work> receives = new ArrayDeque<>();
    private State state = State.RESET;
    private int sendFrames;
    private int receiveFrames;
    private int posts;
    private boolean destroyed;

    SimQueuePair(int side, GrantedDepth granted, SimCompletionQueue completions, SimCable cable, SimFaults faults) {
        this.side = side;
        this.granted = granted;
        this.completions = completions;
        this.cable = cable;
        this.faults = faults;
    }

    int side() {
        return side;
    }

    boolean isDestroyed() {
        return destroyed;
    }

    @Nullable Work nextSend() {
        return sends.peek();
    }

    @Nullable Work nextRead() {
        return reads.peek();
    }

    boolean hasReceive() {
        return !receives.isEmpty();
    }

    Work takeReceive() {
        return receives.remove();
    }

    void takeRead() {
        reads.remove();
    }

    /** The device is done with a message it sent. */
    void sendCompleted(Work send, CompletionStatus status) {
        sends.remove(send);
        complete(new Entry(send.id(), status, false, 0), send);
    }

    void complete(Entry entry, Work work) {
        if (entry.receive()) {
            receiveFrames -= work.frames();
        } else {
            sendFrames -= work.frames();
        }
        completeAgain(entry);
    }

    void completeAgain(Entry entry) {
        if (!destroyed) {
            completions.add(entry);
        }
    }

    @Override
    public int number() {
        return 7 + side;
    }

    @Override
    public GrantedDepth grantedDepth() {
        return granted;
    }

    @Override
    public void initialize(int port, Set<AccessFlag> access) {
        state = State.INIT;
    }

    @Override
    public void readyToReceive(int port, int localGidIndex, QueuePairAddress peer, int pathMtu) throws VerbsException {
        if (faults.isSet(Kind.RTR_REFUSED) && faults.side() == side) {
            throw new VerbsException("RTR was refused", "ibv_modify_qp(RTR)", 60);
        }
        if (peer.queuePairNumber() != 7 + (1 - side)) {
            throw new AssertionError("connected to a queue pair that is not the peer's: " + peer);
        }
        state = State.READY_TO_RECEIVE;
    }

    @Override
    public void readyToSend(int packetSequenceNumber) {
        state = State.READY_TO_SEND;
        cable.attach(this);
    }

    @Override
    public SendBatch newSendBatch(int capacity) {
        return new SimBatch(capacity);
    }

    @Override
    public ReceiveBatch newReceiveBatch(int capacity) {
        return new SimBatch(capacity);
    }

    @Override
    public void post(SendBatch batch) throws VerbsException {
        for (Work work : admit((SimBatch) batch)) {
            (work.read() ? reads : sends).add(work);
            sendFrames += work.frames();
        }
        if (sendFrames > granted.send()) {
            throw new AssertionError(sendFrames + " frames posted to a send queue of " + granted);
        }
        cable.kick();
    }

    @Override
    public void post(ReceiveBatch batch) throws VerbsException {
        for (Work work : admit((SimBatch) batch)) {
            receives.add(work);
            receiveFrames += work.frames();
        }
        if (receiveFrames > granted.receive()) {
            throw new AssertionError(receiveFrames + " frames posted to a receive queue of " + granted);
        }
        cable.kick();
    }

    private Iterable<Work> admit(SimBatch batch) throws VerbsException {
        if (state != State.READY_TO_SEND || destroyed) {
            throw new AssertionError("posted to a queue pair that is " + (destroyed ? "destroyed" : state));
        }
        Iterable<Work> work = batch.take();
        for (Work one : work) {
            cable.memory(side).assertHeld(one.address(), one.length());
        }
        if (faults.strikes(Kind.POST_REFUSED, posts++, side)) {
            throw new VerbsException("the post was refused", "ibv_post_send", 12);
        }
        return work;
    }

    @Override
    public void close() throws VerbsException {
        if (faults.isSet(Kind.NOT_DESTROYED) && faults.side() == side) {
            throw new VerbsException("the queue pair does not go away", "ibv_destroy_qp", 16);
        }
        destroyed = true;
        sends.clear();
        reads.clear();
        receives.clear();
        cable.kick();
    }
}
