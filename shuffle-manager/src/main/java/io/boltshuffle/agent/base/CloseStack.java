package io.boltshuffle.agent.base;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stack of opened resources, which closes all of them in reverse order, even if closing one fails. Used by one
 * thread.
 */
public final class CloseStack implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CloseStack.class);

    private record Entry(String name, AutoCloseable what) {}

    private final Deque<Entry> entries = new ArrayDeque<>();

    public void push(String name, AutoCloseable what) {
        entries.push(new Entry(name, what));
    }

    @Override
    public void close() {
        for (Entry next = entries.poll(); next != null; next = entries.poll()) {
            try {
                next.what().close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                LOG.warn("interrupted while closing {}", next.name());
            } catch (Exception e) {
                LOG.warn("closing {} failed", next.name(), e);
            }
        }
    }
}
