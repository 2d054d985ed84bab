package io.boltshuffle.spark.write;

import java.io.IOException;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;

/**
 * Manages a writer's share of Spark's execution memory. It requests memory in steps, because each request takes the
 * locks of the task and of the executor.
 *
 * <p><b>Invariant:</b> what the writer holds is what Spark granted, but for what {@link #force} was called for: the
 * little that no writer can do without. No other operator of the task is made to spill, unless the executor's memory
 * ran out between a look at it and the request.
 *
 * <p><b>Threads:</b> confined to the task's, except {@link #spill}, which other threads of the task may call.
 */
final class WriterMemory extends MemoryConsumer {
    private static final long SMALLEST_STEP_BYTES = 128 << 10;
    private static final long LARGEST_STEP_BYTES = 1 << 20;
    /** A page is a sixteenth of a task's memory, rounded up to a power of two. */
    private static final int POLITE_PAGES = 4;

    private final Source source;
    private final Holder holder;
    private final Thread owner = Thread.currentThread();
    private final long politeBytes;
    private long held;
    private long peak;

    /**
     * Where the memory comes from.
     *
     * @param executor what the tasks of the executor share
     * @param task what this one has of it
     * @param attemptId by which the executor knows the task
     */
    record Source(MemoryManager executor, TaskMemoryManager task, long attemptId) {

        /** How much of that much a task could have without making its own operators spill. */
        long free(long bytes) {
            long granted = executor.acquireExecutionMemory(bytes, attemptId, MemoryMode.ON_HEAP);
            executor.releaseExecutionMemory(granted, attemptId, MemoryMode.ON_HEAP);
            return granted;
        }
    }

    /** What can be made to give its memory back. */
    interface Holder {
        /** Writes to disk what it holds, if it can at this moment, and calls {@link WriterMemory#release}. */
        void spillForOthers() throws IOException;

        /** Asks, from a thread in which the holder cannot spill, that it spill soon. */
        void spillSoon();
    }

    WriterMemory(Source source, Holder holder) {
        super(source.task(), source.task().pageSizeBytes(), MemoryMode.ON_HEAP);
        this.source = source;
        this.holder = holder;
        this.politeBytes = source.task().getTungstenMemoryMode() == MemoryMode.ON_HEAP
                ? POLITE_PAGES * source.task().pageSizeBytes()
                : Long.MAX_VALUE;
    }

    /** Takes memory if Spark grants it. */
    boolean take(long bytes) {
        long missing = held + bytes - getUsed();
        if (missing > 0 && !acquire(missing)) {
            return false;
        }
        hold(bytes);
        return true;
    }

    private void hold(long bytes) {
        held += bytes;
        peak = Math.max(peak, Math.max(held, getUsed()));
    }

    private boolean acquire(long missing) {
        long step = Math.min(LARGEST_STEP_BYTES, Math.max(SMALLEST_STEP_BYTES, getUsed() / 4));
        long wanted = Math.max(missing, step);
        if (othersHoldMemory()) {
            wanted = Math.min(wanted, withoutSpillingThem(wanted));
            if (wanted < missing) {
                return false;
            }
        }
        long granted = acquireMemory(wanted);
        if (granted < missing) {
            freeMemory(granted);
            return false;
        }
        return true;
    }

    private boolean othersHoldMemory() {
        return taskMemoryManager.getMemoryConsumptionForThisTask() > getUsed();
    }

    /**
     * How much of {@code wanted} can be had though the operators from which the records come hold memory. Where the
     * executor has no more, Spark would make them spill. Spark's bypass writer asks for no memory, so they have all of
     * it there; what they would write are rows, while this writer's bytes are compressed. Once it has its share, it
     * leaves them what is free, too; but with memory off the heap a page says nothing of what is on it.
     */
    private long withoutSpillingThem(long wanted) {
        return getUsed() + wanted > politeBytes ? 0 : source.free(wanted);
    }

    /** Takes memory, whether Spark grants it or not. */
    void force(long bytes) {
        if (!take(bytes)) {
            hold(bytes);
        }
    }

    /** Marks memory as unused. It is kept for the next {@link #take}. */
    void release(long bytes) {
        held -= bytes;
    }

    /** Gives unused memory back to Spark. */
    void trim() {
        long unused = getUsed() - held;
        if (unused > 0) {
            freeMemory(unused);
        }
    }

    void releaseAll() {
        held = 0;
        trim();
    }

    /** Returns the memory in use. */
    long heldBytes() {
        return held;
    }

    /** The most that was granted at a time, or held: what {@link #force} took counts, too. */
    long peakBytes() {
        return peak;
    }

    @Override
    public long spill(long size, MemoryConsumer trigger) throws IOException {
        if (trigger == this) {
            return 0; // take() answers, and its caller spills when it has come to a point where it can
        }
        if (Thread.currentThread() != owner) {
            holder.spillSoon();
            return 0;
        }
        long before = getUsed();
        holder.spillForOthers();
        return before - getUsed();
    }
}
