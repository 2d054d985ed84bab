package io.boltshuffle.spark.report;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Returns an agent's state that is at most a second old. Reports follow tasks, of which a notebook has many in a
 * second, and each request costs a connection and a JSON document that the agent's loop makes.
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
     * @param agent asks the agent
     * @param nanoClock as {@link System#nanoTime()}
     */
    public RecentAgentState(Supplier<AgentState> agent, LongSupplier nanoClock) {
        this.agent = agent;
        this.nanoClock = nanoClock;
    }

    /** Returns the state. If it is too old, the call takes as long as a request to the agent. */
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
