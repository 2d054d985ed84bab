package io.boltshuffle.rdma.link.engine;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Carries commands from any thread to the poller, in order.
 *
 * <p><b>Invariant:</b> every command that was accepted is taken: after {@link #close} none is accepted, and what was is
 * handed out still.
 */
final class Mailbox<C> {

    private final ArrayDeque<C> commands = new ArrayDeque<>();
    private final Runnable wake;
    private boolean closed;

    /** @param wake wakes the poller; may be called from any thread */
    Mailbox(Runnable wake) {
        this.wake = wake;
    }

    /** False if the mailbox is closed, so that the command is never taken. */
    boolean post(C command) {
        boolean first;
        synchronized (commands) {
            if (closed) {
                return false;
            }
            first = commands.isEmpty();
            commands.add(command);
        }
        if (first) {
            wake.run();
        }
        return true;
    }

    @Nullable C take() {
        synchronized (commands) {
            return commands.poll();
        }
    }

    int size() {
        synchronized (commands) {
            return commands.size();
        }
    }

    void close() {
        synchronized (commands) {
            closed = true;
        }
    }
}
