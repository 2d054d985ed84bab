package io.boltshuffle.spark.report;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An agent's state that is at most a second old. Reports follow tasks, of which a notebook has many in a second; each
 * question is a connection and a JSON document that the agent's loop makes.
 *
 * <p><b>Threads:</b> confined to one.
 */
public final class RecentAgentState {
    static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Supplier<AgentState> agent;
    private final LongSupplier nanoClock;
    private @Nullable AgentState last;
    private long readNanos;

    /**
     * @param agent asks it
     * @param nanoClock as {@link System#nanoTime()}
     */
    public RecentAgentState(Supplier<AgentState> agent, LongSupplier nanoClock) {
        this.agent = agent;
        this.nanoClock = nanoClock;
    }

    /** The state; takes as long as asking for it does, if it is time for that. */
    public AgentState get() {
        long now = nanoClock.getAsLong();
        AgentState known = last;
        if (known == null || now - readNanos >= MAX_AGE_NANOS) {
            known = agent.get();
            last = known;
            readNanos = now;
        }
        return known;
    }
}
