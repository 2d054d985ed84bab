package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.link.LinkCounters;

/**
 * Measures how fast one link is: bytes a second between the last two samples, and how long the stripes took that were
 * fetched over it. Confined to the agent's loop.
 */
public final class LinkMeter {

    private long stripes;
    private long nanos;
    private long longestNanos;
    private long stripesSampled;
    private long nanosSampled;
    private long recentMicros;

    private boolean sampled;
    private long sampledAtNanos;
    private long fetchedSampled;
    private long servedSampled;
    private double fetchedPerNano;
    private double servedPerNano;

    /** @param stripeNanos from asking the link to every byte verified */
    public void add(long stripeNanos) {
        stripes++;
        nanos += stripeNanos;
        longestNanos = Math.max(longestNanos, stripeNanos);
    }

    /** Takes a sample, of which two make a rate. */
    void sample(long nowNanos, LinkCounters counters) {
        long elapsed = nowNanos - sampledAtNanos;
        if (sampled && elapsed > 0) {
            fetchedPerNano = (counters.bytesVerified() - fetchedSampled) / (double) elapsed;
            servedPerNano = (counters.bytesServed() - servedSampled) / (double) elapsed;
        }
        sampled = true;
        sampledAtNanos = nowNanos;
        fetchedSampled = counters.bytesVerified();
        servedSampled = counters.bytesServed();
        if (stripes > stripesSampled) {
            recentMicros = (nanos - nanosSampled) / (stripes - stripesSampled) / 1000;
        }
        stripesSampled = stripes;
        nanosSampled = nanos;
    }

    LinkStatus.Pace pace() {
        return new LinkStatus.Pace(
                fetchedPerNano, // a byte a nanosecond is a gigabyte a second
                servedPerNano,
                stripes,
                stripes == 0 ? 0 : nanos / stripes / 1000,
                recentMicros,
                longestNanos / 1000);
    }
}
