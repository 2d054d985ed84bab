package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.CompletionWait;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.move.Pacing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that polls links: one per cable while cables are few, so that a busy one does not delay the others; more
 * links may share one where they are many.
 *
 * <p><b>Invariant:</b> the thread lives until it is closed. What is thrown while it looks at a link ends that link;
 * what is thrown while it sleeps ends only the sleep, because nothing of a link moves then; anything else ends all
 * links, visibly, because none can vouch for itself.
 *
 * <p><b>Ownership:</b> the starter closes it, after its links have ended.
 */
public final class LinkPoller implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LinkPoller.class);
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final List<QueuePairLink> links = new CopyOnWriteArrayList<>();
    private final Thread thread;
    /** Links of the last round that sleep better until a completion is announced. Confined to the thread. */
    private final List<QueuePairLink> awaiting = new ArrayList<>();

    private final List<CompletionQueue> armed = new ArrayList<>();
    private final @Nullable CompletionWait announcements;
    /** Whether completions are announced here: not, or no longer, if that failed. Confined to the thread. */
    private boolean mayAwait;

    /** Whether somebody wants another round since the last one began. */
    private volatile boolean woken;

    private volatile boolean asleep;
    private volatile boolean stopped;

    private LinkPoller(String threadName, @Nullable CompletionWait announcements) {
        this.announcements = announcements;
        mayAwait = announcements != null;
        thread = new Thread(this::loop, threadName);
        thread.setDaemon(true);
    }

    /**
     * @param announcements where it sleeps until a completion is announced, and what it closes; null if it only looks
     */
    public static LinkPoller start(String threadName, @Nullable CompletionWait announcements) {
        LinkPoller poller = new LinkPoller(threadName, announcements);
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

    /** The poller itself is awake, but may be past the link already in this round: it goes round once more. */
    void wake() {
        woken = true;
        if (Thread.currentThread() == thread) {
            return;
        }
        // The poller says that it is asleep before it looks whether it was woken: one of both sees the other.
        if (asleep && announcements != null) {
            announcements.wake();
        }
        LockSupport.unpark(thread);
    }

    private void loop() {
        try {
            while (!stopped) {
                try {
                    roundAndPause();
                } catch (Throwable e) {
                    links.forEach(link -> endDefective(link, e));
                }
            }
        } finally {
            if (announcements != null) {
                announcements.close();
            }
        }
    }

    private void roundAndPause() {
        woken = false;
        long pause = round(System.nanoTime());
        if (pause == 0 || woken) {
            Thread.onSpinWait();
        } else if (awaiting.isEmpty() || announcements == null) {
            LockSupport.parkNanos(this, pause);
        } else {
            await(announcements, pause);
        }
    }

    /** Returns how long to sleep, 0 for not at all. */
    private long round(long now) {
        long pause = Pacing.LONGEST_IDLE_NANOS;
        awaiting.clear();
        for (QueuePairLink link : links) {
            pause = Math.min(pause, roundOf(link, now));
            if (link.isAnnouncementAwaited()) {
                awaiting.add(link);
            }
        }
        links.removeIf(link -> link.state().isFinal());
        return pause;
    }

    /**
     * Sleeps until a completion is announced, if none came meanwhile. If announcements fail, even by an error of the
     * virtual machine, the links go on and are looked at as those are that announce nothing.
     */
    private void await(CompletionWait where, long pause) {
        asleep = true;
        try {
            arm();
            // What completed before a queue was armed is not announced.
            if (isQuiet(System.nanoTime()) && !woken && !stopped) {
                where.await(armed, pause);
            }
        } catch (Throwable e) {
            mayAwait = false;
            LOG.warn("{}: completions are looked for from now on: {}", thread.getName(), e.getMessage(), e);
        } finally {
            asleep = false;
        }
    }

    private void arm() throws VerbsException {
        armed.clear();
        for (QueuePairLink link : awaiting) {
            CompletionQueue queue = link.arm();
            if (queue != null) {
                armed.add(queue);
            }
        }
    }

    private boolean isQuiet(long now) {
        for (QueuePairLink link : awaiting) {
            if (hasWork(link, now)) {
                return false;
            }
        }
        return true;
    }

    private boolean hasWork(QueuePairLink link, long now) {
        try {
            return link.hasWork(now);
        } catch (Throwable e) {
            endDefective(link, e);
            return true;
        }
    }

    /** Even an error of the virtual machine must end its link visibly, and no other. */
    private long roundOf(QueuePairLink link, long now) {
        try {
            return link.round(now, mayAwait);
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
