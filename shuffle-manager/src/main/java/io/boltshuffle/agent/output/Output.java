package io.boltshuffle.agent.output;

import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.wire.OutputLayout;
import io.boltshuffle.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one map output, from the moment it is lent to a task.
 *
 * <p><b>Invariant:</b> it takes holds from when it is published until it is closed to them. One thread finds that it is
 * closed and nothing holds it: the one that closed it, or the one that ended the last hold.
 *
 * <p><b>Threads:</b> any may hold it and let it go, without a lock. What else changes is guarded by {@link Outputs}.
 *
 * <p><b>Ownership:</b> of the lease, which goes back once, when the output is {@link OutputState#GONE}.
 */
public final class Output {

    private static final int[] NOTHING = {};

    /** In the word that counts holds: takes no more of them. */
    private static final int CLOSED = 1 << 31;

    private final String application;
    private final String executor;
    private final int shuffleId;
    private final Lease lease;
    private OutputState state = OutputState.LENT;
    private long mapId;
    private long publishedNanos;
    /** Where each partition begins and ends in the memory; an output has no more than an int can tell. */
    private int[] starts = NOTHING;

    private int[] ends = NOTHING;

    /** How many hold it, and whether it is closed to others. */
    private final AtomicInteger holds = new AtomicInteger(CLOSED);

    private final OpenPorts ports = new OpenPorts();

    /** All of the memory, once it is published. */
    private @Nullable ByteBuffer memory;

    Output(String application, String executor, int shuffleId, Lease lease) {
        this.application = application;
        this.executor = executor;
        this.shuffleId = shuffleId;
        this.lease = lease;
    }

    /** Returns the lease that the executor knows it by. */
    public long leaseId() {
        return lease.id();
    }

    /** Returns the start within the slab. */
    public long slabOffset() {
        return lease.offset();
    }

    /** Returns the room, which the output need not fill. */
    public long bytes() {
        return lease.bytes();
    }

    String application() {
        return application;
    }

    String executor() {
        return executor;
    }

    int shuffleId() {
        return shuffleId;
    }

    long mapId() {
        return mapId;
    }

    Lease lease() {
        return lease;
    }

    /** Returns how much the memory counts: whole frames. */
    long cost() {
        return (long) lease.frames() * Lease.FRAME_BYTES;
    }

    /** Returns the ports whose peers may read it where it lies. */
    OpenPorts ports() {
        return ports;
    }

    /** Lets the peers of a port read it; empty if the port refuses. */
    Optional<RegisteredRange> openTo(MemoryWindow.OfPort window) {
        return ports.open(lease, laidBytes(), this::clearGaps, window);
    }

    /** What was there belonged to others. */
    private void clearGaps() {
        long end = 0;
        for (int reduce = 0; reduce < blocks(); reduce++) {
            OpenPorts.clear(lease, end, start(reduce));
            end = end(reduce);
        }
        OpenPorts.clearBehind(lease, end);
    }

    int blocks() {
        return starts.length;
    }

    /** Returns where its last partition ends in the memory. */
    long laidBytes() {
        return blocks() == 0 ? 0 : ends[blocks() - 1];
    }

    boolean is(OutputState wanted) {
        return state == wanted;
    }

    void publishedAt(long nanos) {
        publishedNanos = nanos;
    }

    long publishedNanos() {
        return publishedNanos;
    }

    void become(OutputState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("an output that is " + state + " was to become " + next);
        }
        state = next;
    }

    /** Takes note of what lies there; false if it cannot lie there. */
    boolean describe(long map, OutputLayout layout, List<Long> lengths) {
        int[] from = new int[lengths.size()];
        int[] to = new int[lengths.size()];
        long room = Math.min(bytes(), WireLimits.MAX_OUTPUT_BYTES);
        long end = 0;
        for (int i = 0; i < from.length; i++) {
            long start = layout.start(end);
            long length = lengths.get(i);
            if (length < 0 || start > room || length > room - start) {
                return false;
            }
            end = start + length;
            from[i] = (int) start;
            to[i] = (int) end;
        }
        mapId = map;
        starts = from;
        ends = to;
        memory = lease.view(0, (int) room);
        return true;
    }

    boolean has(int endReduce) {
        return endReduce <= blocks();
    }

    /** Returns where a partition begins in the memory. */
    long start(int reduce) {
        return starts[reduce];
    }

    /** Returns where a partition ends in the memory. */
    long end(int reduce) {
        return ends[reduce];
    }

    /** Returns how many bytes these partitions have together. */
    long bytesOf(int startReduce, int endReduce) {
        long sum = 0;
        for (int reduce = startReduce; reduce < endReduce; reduce++) {
            sum += ends[reduce] - starts[reduce];
        }
        return sum;
    }

    /** Takes holds from now on. */
    void open() {
        holds.set(0);
    }

    /** Holds it; false if it is closed. */
    boolean hold() {
        int before;
        do {
            before = holds.get();
            if ((before & CLOSED) != 0) {
                return false;
            }
        } while (!holds.compareAndSet(before, before + 1));
        return true;
    }

    /** Ends a hold. Returns true if it was the last one of an output that is closed. */
    boolean letGo() {
        return holds.decrementAndGet() == CLOSED;
    }

    /** Takes no more holds. Returns true if nothing holds it. */
    boolean close() {
        return holds.getAndUpdate(before -> before | CLOSED) == 0;
    }

    /** Takes no more holds, unless something holds it: then it returns false. */
    boolean closeUnlessHeld() {
        return holds.compareAndSet(0, CLOSED);
    }

    /** Copies bytes to where {@code into} stands. Only a holder may: the memory of others may be lent again. */
    void copy(long offset, ByteBuffer into, int length) {
        ByteBuffer from = memory;
        if (from == null) {
            throw new IllegalStateException(this + " was never published");
        }
        into.put(into.position(), from, (int) offset, length);
    }

    @Override
    public String toString() {
        return "output of shuffle " + shuffleId + ", map " + mapId + " by " + executor + " of " + application + " ("
                + state + ", " + (holds.get() & ~CLOSED) + " holds, ends at " + laidBytes() + ")";
    }
}
