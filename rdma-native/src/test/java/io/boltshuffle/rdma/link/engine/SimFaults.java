package io.boltshuffle.rdma.link.engine;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The faults of a schedule, and their times. Without an entry nothing goes wrong. */
final class SimFaults {

    /** Faults of the simulated fabric. */
    enum Kind {
        /** The n-th message vanishes. */
        LOST,
        /** The n-th message arrives with a flipped bit. */
        CORRUPTED,
        /** The n-th receive or read completes with an error. */
        ERROR_COMPLETION,
        /** The n-th completion comes a second time. */
        DOUBLE_COMPLETION,
        /** From the n-th message on, completions come late. */
        LATE,
        /** From the n-th message on, nothing moves towards one side. */
        ONE_WAY_DEATH,
        /** From the n-th message on, nothing moves, and the channel is silent too. */
        SILENT_DEATH,
        /** The n-th post is refused. */
        POST_REFUSED,
        /** The n-th control call never returns. */
        STUCK_CONTROL,
        /** Destroying the queue pair fails. */
        NOT_DESTROYED,
        /** RTR is refused. */
        RTR_REFUSED,
        /** The queue pair budget is used up. */
        NO_QUEUE_PAIR,
        /** The port is down. */
        PORT_DOWN,
        /** After the n-th message the channel breaks. */
        CHANNEL_LOST,
        /** The n-th message of the channel is garbage. */
        GARBAGE,
        /** Messages of the channel take up to a while. */
        SLOW_CHANNEL
    }

    private final Map<Kind, Integer> at = new EnumMap<>(Kind.class);
    private final int side;

    private SimFaults(int side) {
        this.side = side;
    }

    static SimFaults none() {
        return new SimFaults(0);
    }

    static SimFaults of(Kind kind, int n, int side) {
        SimFaults faults = new SimFaults(side);
        faults.at.put(kind, n);
        return faults;
    }

    /** Up to two faults, on one side. */
    static SimFaults draw(SimWorld world) {
        SimFaults faults = new SimFaults((int) world.between(0, 2));
        List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
        for (long left = world.between(0, 3); left > 0; left--) {
            Kind kind = kinds.remove((int) world.between(0, kinds.size()));
            faults.at.put(kind, (int) world.between(0, world.oneIn(2) ? 12 : 120));
        }
        return faults;
    }

    /** True if this happens at the n-th occasion on this side. */
    boolean strikes(Kind kind, int n, int onSide) {
        Integer when = at.get(kind);
        return when != null && when == n && onSide == side;
    }

    /** True if this lasts from an occasion that has passed on this side. */
    boolean lasts(Kind kind, int n, int onSide) {
        Integer when = at.get(kind);
        return when != null && n >= when && onSide == side;
    }

    boolean isSet(Kind kind) {
        return at.containsKey(kind);
    }

    int side() {
        return side;
    }

    int n(Kind kind) {
        return at.getOrDefault(kind, Integer.MAX_VALUE);
    }

    boolean isEmpty() {
        return at.isEmpty();
    }

    @Override
    public String toString() {
        return at + " on side " + side;
    }
}
