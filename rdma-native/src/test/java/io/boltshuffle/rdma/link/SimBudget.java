package io.boltshuffle.rdma.link;

/**
 * Bounds what an explorer, a simulation or a fuzzer goes through: an everyday build takes a part that is the same each
 * time, CI and {@code -Dexplore.all=true} take all.
 */
public final class SimBudget {

    private static final boolean ALL = Boolean.getBoolean("explore.all");

    private SimBudget() {}

    /** Returns the one of two numbers that this build has time for. */
    public static int of(int everyday, int all) {
        return ALL ? all : everyday;
    }
}
