package io.boltshuffle.agent.output;

import io.boltshuffle.rdma.memory.Lease;
import java.util.List;

/**
 * The memory of one map output, from the moment it is lent to a task.
 *
 * <p><b>Threads:</b> what changes is guarded by {@link Outputs}.
 *
 * <p><b>Ownership:</b> of the lease, which goes back once, when the output is {@link OutputState#GONE}.
 */
public final class Output {

    private static final long[] NOTHING = {0};

    private final String application;
    private final String executor;
    private final int shuffleId;
    private final Lease lease;
    private OutputState state = OutputState.LENT;
    private long mapId;
    /** The offset of each partition, and the end. */
    private long[] offsets = NOTHING;

    private int holds;

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

    int blocks() {
        return offsets.length - 1;
    }

    boolean is(OutputState wanted) {
        return state == wanted;
    }

    void become(OutputState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("an output that is " + state + " was to become " + next);
        }
        state = next;
    }

    /** Takes note of what lies there; false if it cannot lie there. */
    boolean describe(long map, List<Long> lengths) {
        long[] ends = new long[lengths.size() + 1];
        for (int i = 0; i < lengths.size(); i++) {
            long length = lengths.get(i);
            if (length < 0 || length > bytes() - ends[i]) {
                return false;
            }
            ends[i + 1] = ends[i] + length;
        }
        mapId = map;
        offsets = ends;
        return true;
    }

    boolean has(int endReduce) {
        return endReduce <= blocks();
    }

    long offset(int reduce) {
        return offsets[reduce];
    }

    boolean isHeld() {
        return holds > 0;
    }

    void hold() {
        holds++;
    }

    void letGo() {
        holds--;
    }

    @Override
    public String toString() {
        return "output of shuffle " + shuffleId + ", map " + mapId + " by " + executor + " of " + application + " ("
                + state + ", " + holds + " holds, ends at " + offsets[blocks()] + ")";
    }
}
