package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.move.Pacing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that polls links: one per cable while cables are few, so that a busy one does not delay the others; more
 * links may share one where they are many.
 *
 * <p><b>Invariant:</b> the thread lives until it is closed. What is thrown while it looks at a link ends that link;
 * anything else ends all links, visibly, because none can vouch for itself.
 *
 * <p><b>Ownership:</b> the starter closes it, after its links have ended.
 */
public final class LinkPoller implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LinkPoller.class);
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final List<QueuePairLink> links = new CopyOnWriteArrayList<>();
    private final Thread thread;
    /** Whether the poller was woken in this round, by itself or by another thread. */
    private volatile boolean again;

    private volatile boolean stopped;

    private LinkPoller(String threadName) {
        thread = new Thread(this::loop, threadName);
        thread.setDaemon(true);
    }

    public static LinkPoller start(String threadName) {
        LinkPoller poller = new LinkPoller(threadName);
        poller.thread.start();
        return poller;
    }

    /** Polls a link from now on until it has ended. */
    void run(QueuePairLink link) {
        if (stopped) {
            throw new IllegalStateException(thread.getName() + " is closed");
        }
        links.add(link);
        wake();
    }

    /**
     * The poller may be awake, but past the link already in this round: it goes round once more. To unpark it is not
     * enough, because it may use that up where it waits for another link's turn.
     */
    void wake() {
        again = true;
        if (Thread.currentThread() != thread) {
            LockSupport.unpark(thread);
        }
    }

    private void loop() {
        while (!stopped) {
            try {
                roundAndPause();
            } catch (Throwable e) {
                links.forEach(link -> endDefective(link, e));
            }
        }
    }

    private void roundAndPause() {
        again = false;
        long pause = round(System.nanoTime());
        if (pause == 0 || again) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(this, pause);
        }
    }

    /** Returns how long to sleep, 0 for not at all. */
    private long round(long now) {
        long pause = Pacing.LONGEST_IDLE_NANOS;
        for (QueuePairLink link : links) {
            pause = Math.min(pause, roundOf(link, now));
        }
        links.removeIf(link -> link.state().isFinal());
        return pause;
    }

    /** Even an error of the virtual machine must end its link visibly, and no other. */
    private long roundOf(QueuePairLink link, long now) {
        try {
            return link.round(now);
        } catch (Throwable e) {
            endDefective(link, e);
            return 0;
        }
    }

    private void endDefective(QueuePairLink link, Throwable defect) {
        try {
            link.failByDefect(defect);
            LOG.error("{}: its poller failed", link, defect);
        } catch (Throwable e) {
            links.remove(link);
            LOG.error("{}: cannot be ended; its memory stays held", link, e);
        }
    }

    /**
     * Stops the thread in any case, and waits for that unless it is the one that calls.
     *
     * @throws IllegalStateException if a link has not ended: its memory is never given back
     */
    @Override
    public void close() {
        List<QueuePairLink> left =
                links.stream().filter(link -> !link.state().isFinal()).toList();
        stop();
        if (!left.isEmpty()) {
            throw new IllegalStateException(thread.getName() + " still had links: " + left);
        }
    }

    private void stop() {
        stopped = true;
        wake();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(CLOSING.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
