package io.boltshuffle.agent.peer;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs connections that ended before anything was proven on them, in at most one line a minute: each port scan would
 * write its own otherwise. The others are counted, and told at DEBUG.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class StrangerLog {

    private static final Logger LOG = LoggerFactory.getLogger(StrangerLog.class);
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private boolean said;
    private long saidNanos;
    private long unsaid;

    /**
     * @param nowNanos by the loop's clock
     * @return whether it was said aloud
     */
    boolean ended(long nowNanos, String why) {
        if (said && nowNanos - saidNanos < QUIET_NANOS) {
            unsaid++;
            LOG.debug("a connection ended before anything was proven: {}", why);
            return false;
        }
        LOG.warn("a connection ended before anything was proven: {} ({} others since the last such line)", why, unsaid);
        said = true;
        saidNanos = nowNanos;
        unsaid = 0;
        return true;
    }
}
