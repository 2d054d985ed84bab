package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.CompletionStatus;
import io.boltshuffle.rdma.link.engine.SimBatch.Work;
import io.boltshuffle.rdma.link.engine.SimCompletionQueue.Entry;
import io.boltshuffle.rdma.link.engine.SimFaults.Kind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A cable between the queue pairs of two simulated hosts. One message at a time in each direction; a SEND waits for a
 * posted receive, as Thunderbolt's credits make it; a lost message leaves no trace.
 */
final class SimCable {

    private final SimWorld world;
    private final SimFaults faults;
    private final SimMemory[] memories;
    private final double bytesPerNano;
    private final @Nullable SimQueuePair[] ends = new SimQueuePair[2];
    private final boolean[] moving = new boolean[2];
    private final int[] arrived = new int[2];

    SimCable(SimWorld world, SimFaults faults, SimMemory[] memories, double bytesPerNano) {
        this.world = world;
        this.faults = faults;
        this.memories = memories;
        this.bytesPerNano = bytesPerNano;
    }

    void attach(SimQueuePair end) {
        ends[end.side()] = end;
    }

    SimMemory memory(int side) {
        return memories[side];
    }

    /** Returns whether nothing comes through towards this side any more, without a word about it. */
    boolean isDead(int towards) {
        return faults.lasts(Kind.ONE_WAY_DEATH, arrived[towards], towards)
                || faults.lasts(Kind.SILENT_DEATH, arrived[faults.side()], faults.side());
    }

    boolean isSilent() {
        return faults.lasts(Kind.SILENT_DEATH, arrived[faults.side()], faults.side());
    }

    boolean channelBreaks() {
        return faults.lasts(Kind.CHANNEL_LOST, arrived[faults.side()], faults.side());
    }

    /** Messages that came to this side so far. */
    int arrived(int side) {
        return arrived[side];
    }

    /** Something was posted: sees whether a message can move. */
    void kick() {
        for (int towards = 0; towards < 2; towards++) {
            move(towards);
        }
    }

    private void move(int towards) {
        SimQueuePair receiver = ends[towards];
        SimQueuePair sender = ends[1 - towards];
        if (moving[towards] || receiver == null || sender == null || isDead(towards)) {
            return;
        }
        Work read = receiver.nextRead();
        Work send = sender.nextSend();
        if (read != null) {
            start(towards, read.length(), () -> read(receiver, sender, read));
        } else if (send != null && receiver.hasReceive()) {
            start(towards, send.length(), () -> deliver(sender, receiver, send));
        }
    }

    private void start(int towards, int bytes, Runnable arrival) {
        moving[towards] = true;
        long nanos = world.between(1_000, 3_000) + (long) (bytes / bytesPerNano);
        if (faults.lasts(Kind.LATE, arrived[towards], towards)) {
            nanos += world.between(0, 20_000_000);
        }
        world.after(nanos, () -> {
            moving[towards] = false;
            if (!isDead(towards)) {
                arrival.run();
                arrived[towards]++;
            }
            kick();
        });
    }

    private void deliver(SimQueuePair sender, SimQueuePair receiver, Work send) {
        int side = receiver.side();
        int n = arrived[side];
        if (sender.isDestroyed()) {
            return;
        }
        ByteBuffer bytes = memories[1 - side].at(send.address(), send.length());
        memories[1 - side].assertHeld(send.address(), send.length());
        if (!faults.strikes(Kind.LOST, n, side) && !receiver.isDestroyed()) {
            receive(receiver, send, bytes, n);
        }
        sender.sendCompleted(send, CompletionStatus.SUCCESS);
    }

    private void receive(SimQueuePair receiver, Work send, ByteBuffer bytes, int n) {
        Work into = receiver.takeReceive();
        if (into.frames() != send.frames() || into.length() < send.length()) {
            receiver.complete(new Entry(into.id(), CompletionStatus.LOC_LEN_ERR, true, 0), into);
            return;
        }
        write(receiver.side(), into.address(), bytes, n);
        complete(receiver, into, send.length(), n, true);
    }

    private void read(SimQueuePair reader, SimQueuePair server, Work read) {
        if (reader.isDestroyed()) {
            return;
        }
        int side = reader.side();
        int n = arrived[side];
        reader.takeRead();
        if (server.isDestroyed() || read.remoteKey() != memories[1 - side].remoteKey()) {
            reader.complete(new Entry(read.id(), CompletionStatus.RETRY_EXC_ERR, false, 0), read);
            return;
        }
        if (faults.strikes(Kind.LOST, n, side)) {
            reader.complete(new Entry(read.id(), CompletionStatus.RETRY_EXC_ERR, false, 0), read);
            return;
        }
        memories[1 - side].assertHeld(read.remoteAddress(), read.length());
        write(side, read.address(), memories[1 - side].at(read.remoteAddress(), read.length()), n);
        complete(reader, read, read.length(), n, false);
    }

    private void write(int side, long address, ByteBuffer bytes, int n) {
        memories[side].assertHeld(address, bytes.remaining());
        ByteBuffer into = memories[side].at(address, bytes.remaining());
        into.put(bytes);
        if (faults.strikes(Kind.CORRUPTED, n, side)) {
            int at = (int) world.between(0, into.limit());
            into.put(at, (byte) (into.get(at) ^ 1));
        }
    }

    private void complete(SimQueuePair end, Work work, int bytes, int n, boolean receive) {
        boolean error = faults.strikes(Kind.ERROR_COMPLETION, n, end.side());
        CompletionStatus status = error ? CompletionStatus.LOC_PROT_ERR : CompletionStatus.SUCCESS;
        Entry entry = new Entry(work.id(), status, receive, bytes);
        end.complete(entry, work);
        if (faults.strikes(Kind.DOUBLE_COMPLETION, n, end.side())) {
            end.completeAgain(entry);
        }
    }
}
