package io.boltshuffle.loop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop itself: it waits for sockets and timers, and runs tasks.
 *
 * <p><b>Invariant:</b> one thread at a time has the <i>turn</i>, and only it may touch what belongs to the loop. The
 * loop's own thread has the turn but while it waits for work; then another may take it for one {@link #hurry task} and
 * what that sends. An exception of a handler closes that handler's channel only. An exception of a task or timer ends
 * the loop, because the state that it leaves may be wrong and must not move bytes. However the loop ends, its owner
 * hears of it, and each task that somebody waits for either runs or is {@link Loop#execute(Runnable, Runnable) dropped}
 * aloud.
 *
 * <p><b>Threads:</b> only the loop's own thread ever waits for the turn, and it holds no other lock then: others take
 * the turn if it is free, or leave their task in the queue. So the turn takes no part in a deadlock.
 *
 * <p><b>Ownership:</b> {@link #close} ends the thread, {@link #closeOnceUnneeded} perhaps later. Channels belong to
 * the code that registered them; those still open are closed when the loop ends, except for those that {@link
 * Handler#outlivesLoop outlive} a loop that breaks.
 */
public final class EventLoop implements Loop, AutoCloseable {

    private static final long MAX_SELECT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int READ_BYTES = 64 << 10;

    /** A task that does not end must not keep a process from its end. */
    private static final long SETTLE_SECONDS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

    /** Keeps these channels from the garbage collector. */
    private static final Set<Channel> LEFT_OPEN = ConcurrentHashMap.newKeySet();

    private final Selector selector;
    private final Thread thread;
    private final Consumer<@Nullable Throwable> onEnd;
    private final TaskQueue tasks = new TaskQueue();
    private final ReentrantLock turn = new ReentrantLock();
    private final List<Handler> atTurnEnd = new ArrayList<>();
    private final Timers timers = new Timers();
    /** Memory to read into, one for all channels: that of each connection would stay until a full collection. */
    private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BYTES);

    private final long originNanos = System.nanoTime();
    private final CompletableFuture<Void> settled = new CompletableFuture<>();
    private boolean ending;
    /** The time at which the loop's thread wakes without being woken, by {@link #elapsedNanos}. Guarded by the turn. */
    private long wakesNanos;
    /** The failure of a task on another thread. Guarded by the turn. */
    private @Nullable Throwable thrownElsewhere;

    private volatile boolean closed;
    /** Whether the loop has looked at its tasks for the last time: what is left there is the giver's to drop. */
    private volatile boolean over;

    /** A task that somebody waits for. */
    private record Awaited(Runnable task, Runnable ifDropped) implements Runnable {
        @Override
        public void run() {
            task.run();
        }
    }

    /** Handles what a channel is ready for. */
    interface Handler {
        void onReady() throws IOException;

        /** Runs at the end of each turn in which {@link #atTurnEnd} was called for this handler. */
        default void onTurnEnd() throws IOException {}

        /** The channel failed and cannot be used any more. */
        void onFault(Exception cause);

        /**
         * Returns whether the channel stays open until the process ends if the loop breaks, and keeps {@link
         * #closeOnceUnneeded} waiting.
         */
        default boolean outlivesLoop() {
            return false;
        }
    }

    private EventLoop(Selector selector, String name, boolean daemon, Consumer<@Nullable Throwable> onEnd) {
        this.selector = selector;
        this.onEnd = onEnd;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(daemon);
    }

    /**
     * @param onEnd is told why the loop ended, on the loop's thread, before tasks that are left are dropped; the cause
     * is null after {@link #close}
     */
    public static EventLoop start(String name, boolean daemon, Consumer<@Nullable Throwable> onEnd) throws IOException {
        EventLoop loop = new EventLoop(Selector.open(), name, daemon, onEnd);
        loop.thread.start();
        return loop;
    }

    @Override
    public void execute(Runnable task) {
        if (!closed) {
            give(task);
        }
    }

    @Override
    public void execute(Runnable task, Runnable ifDropped) {
        give(new Awaited(task, ifDropped));
    }

    private void give(Runnable task) {
        boolean mayMissIt = tasks.add(task);
        if (over) {
            dropTasks();
        } else if (mayMissIt && !isCurrent()) {
            selector.wakeup();
        }
    }

    @Override
    public void hurry(Runnable task) {
        if (!isDoneHere(task)) {
            execute(task);
        }
    }

    @Override
    public void hurry(Runnable task, Runnable ifDropped) {
        if (!isDoneHere(task)) {
            execute(task, ifDropped);
        }
    }

    /** Does a task on the thread that brings it, unless the loop is awake, or something was given before. */
    private boolean isDoneHere(Runnable task) {
        // Where a thread waits for the turn, it is the loop's own, which has something to do.
        if (hasTurn() || turn.hasQueuedThreads() || !turn.tryLock()) {
            return false;
        }
        try {
            if (closed || thrownElsewhere != null || !tasks.isEmpty()) {
                return false;
            }
            doHere(task);
            return true;
        } finally {
            turn.unlock();
        }
    }

    private void doHere(Runnable task) {
        try {
            task.run();
            endTurn();
        } catch (RuntimeException | Error e) {
            thrownElsewhere = e;
        }
        if (thrownElsewhere != null || timers.nextDueNanos() < wakesNanos) {
            selector.wakeup();
        }
    }

    /**
     * Returns the memory into which a channel reads. It is the caller's until it returns to the loop, and holds nothing
     * of any channel between two of them.
     */
    ByteBuffer readBuffer() {
        requireTurn();
        return readBuffer;
    }

    /** Makes the selector look at a change that it considers only before it waits. */
    void selectAnew() {
        if (!isCurrent()) {
            selector.wakeup();
        }
    }

    @Override
    public Timer after(long delayNanos, Runnable task) {
        requireTurn();
        return timers.add(elapsedNanos() + delayNanos, task);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /** Returns whether this is the loop's own thread. */
    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    private boolean hasTurn() {
        return turn.isHeldByCurrentThread();
    }

    /** Refuses every thread but the one that has the turn, in production as well as in tests. */
    void requireTurn() {
        if (!hasTurn()) {
            throw new IllegalStateException("this is for the thread " + thread.getName() + ", not for "
                    + Thread.currentThread().getName());
        }
    }

    /** Ends the loop after the tasks that were given before, and waits for its thread unless called by a task. */
    @Override
    public void close() {
        execute(() -> closed = true);
        if (!hasTurn()) {
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Ends the loop after the tasks that were given before and once no channel {@link Handler#outlivesLoop needs} to
     * stay open. Waits for the first only, and not for ever: the thread goes on as long as there is such a channel, and
     * runs tasks.
     */
    public void closeOnceUnneeded() {
        execute(() -> ending = true);
        if (!hasTurn()) {
            boolean unused = settled.copy()
                    .orTimeout(SETTLE_SECONDS, TimeUnit.SECONDS)
                    .handle((done, late) -> late == null)
                    .join();
            if (closed) {
                close();
            }
        }
    }

    SelectionKey register(SelectableChannel channel, int interest, Handler handler) throws IOException {
        requireTurn();
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, interest, handler);
        selectAnew();
        return key;
    }

    /** Calls the handler once more before the loop waits again. */
    void atTurnEnd(Handler handler) {
        requireTurn();
        atTurnEnd.add(handler);
    }

    private void run() {
        turn.lock();
        try {
            runInTurn();
        } finally {
            turn.unlock();
            settled.complete(null);
        }
    }

    private void runInTurn() {
        Throwable cause = null;
        try {
            while (!closed) {
                awaitWork();
                serveChannels();
                runTasks();
                runTimers();
                endTurn();
                if (ending) {
                    settle();
                }
            }
        } catch (Throwable e) {
            cause = e;
        }
        end(cause);
    }

    /** Ends the loop. The owner and those who wait for a task hear of the end, even if a step of it fails. */
    private void end(@Nullable Throwable cause) {
        closed = true;
        Throwable why = cause;
        try {
            closeChannels(cause);
        } catch (Throwable e) {
            why = cause == null ? e : cause;
        } finally {
            try {
                onEnd.accept(why);
            } finally {
                over = true;
                dropTasks();
            }
        }
    }

    /** Tells those who wait for a task that it never runs. Each task is dropped once, by whichever thread finds it. */
    private void dropTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            if (task instanceof Awaited awaited) {
                try {
                    awaited.ifDropped().run();
                } catch (RuntimeException | Error e) {
                    LOG.error("defect: what was to be told of a task that never runs was not told", e);
                }
            }
        }
    }

    private void settle() {
        if (selector.keys().stream().anyMatch(key -> ((Handler) key.attachment()).outlivesLoop())) {
            settled.complete(null);
        } else {
            closed = true;
        }
    }

    private void awaitWork() throws IOException {
        try {
            if (tasks.mayFallAsleep()) {
                sleep(selectMillis());
            } else {
                selector.selectNow();
            }
        } finally {
            tasks.wokeUp();
        }
        // Also if the thread did not sleep: others may have had the turn before this thread first took it.
        if (thrownElsewhere instanceof Error error) {
            throw error;
        } else if (thrownElsewhere instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** The only place where the loop's thread, once it has begun, lets others have the turn. */
    private void sleep(long millis) throws IOException {
        wakesNanos = elapsedNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        turn.unlock();
        try {
            selector.select(millis);
        } finally {
            turn.lock();
        }
    }

    private void serveChannels() {
        for (SelectionKey key : selector.selectedKeys()) {
            Handler handler = (Handler) key.attachment();
            try {
                if (key.isValid()) {
                    handler.onReady();
                }
            } catch (IOException | RuntimeException e) {
                handler.onFault(e);
            }
        }
        selector.selectedKeys().clear();
    }

    /** Runs the tasks. Tasks that arrive meanwhile wait for the next turn, so that they cannot starve the sockets. */
    private void runTasks() {
        for (int left = tasks.size(); left > 0 && !closed; left--) {
            Runnable task = tasks.poll();
            if (task != null) {
                task.run();
            }
        }
    }

    private void runTimers() {
        long now = elapsedNanos();
        for (Runnable due = timers.nextDue(now); due != null && !closed; due = timers.nextDue(now)) {
            due.run();
        }
    }

    private void endTurn() {
        // Iterates by index, because a channel that fails may make others send.
        for (int i = 0; i < atTurnEnd.size(); i++) {
            Handler handler = atTurnEnd.get(i);
            try {
                handler.onTurnEnd();
            } catch (IOException | RuntimeException e) {
                handler.onFault(e);
            }
        }
        atTurnEnd.clear();
    }

    /** Returns milliseconds for select, for which 0 would mean for ever. */
    private long selectMillis() {
        long waitNanos = Math.min(MAX_SELECT_NANOS, timers.nextDueNanos() - elapsedNanos());
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(Math.max(0, waitNanos) + 999_999));
    }

    private void closeChannels(@Nullable Throwable cause) {
        for (SelectionKey key : selector.keys()) {
            if (cause != null && ((Handler) key.attachment()).outlivesLoop()) {
                LEFT_OPEN.add(key.channel());
                continue;
            }
            try {
                key.channel().close();
            } catch (IOException e) {
                ((Handler) key.attachment()).onFault(e);
            }
        }
        try {
            selector.close();
        } catch (IOException e) {
            throw new IllegalStateException("a selector that cannot be closed", e);
        }
    }

    /** Returns the time since the start, which cannot overflow as {@link System#nanoTime} may. */
    private long elapsedNanos() {
        return System.nanoTime() - originNanos;
    }
}
