package io.boltshuffle.agent;

/** How long the stripes that were fetched over one link took. Confined to the agent's loop. */
final class StripeTimes {

    private long stripes;
    private long nanos;

    void add(long stripeNanos) {
        stripes++;
        nanos += stripeNanos;
    }

    long stripes() {
        return stripes;
    }

    /** From asking the link to every byte verified; 0 before the first. */
    long meanMicros() {
        return stripes == 0 ? 0 : nanos / stripes / 1000;
    }
}
