package io.boltshuffle.spark.write;

import java.io.IOException;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;

/**
 * Manages a writer's share of Spark's execution memory. It requests memory in steps, because each request takes the
 * locks of the task and of the executor.
 *
 * <p><b>Invariant:</b> the writer holds what Spark granted, and beyond it only what {@link #force} took: the little
 * that no writer can do without.
 *
 * <p><b>Threads:</b> confined to the task's, except {@link #spill}, which other threads of the task may call.
 */
final class WriterMemory extends MemoryConsumer {
    private static final long SMALLEST_STEP_BYTES = 128 << 10;
    private static final long LARGEST_STEP_BYTES = 1 << 20;
    /** A page is a sixteenth of a task's memory, rounded up to a power of two. */
    private static final int POLITE_PAGES = 4;

    private final Holder holder;
    private final Thread owner = Thread.currentThread();
    private final long politeBytes;
    private long held;
    private long peak;

    /** Holds memory that it can be told to give back. */
    interface Holder {
        /** Writes to disk what it holds, if it can at this moment, and calls {@link WriterMemory#release}. */
        void spillForOthers() throws IOException;

        /** Asks, from a thread in which the holder cannot spill, that it spill soon. */
        void spillSoon();
    }

    WriterMemory(TaskMemoryManager manager, Holder holder) {
        super(manager, manager.pageSizeBytes(), MemoryMode.ON_HEAP);
        this.holder = holder;
        this.politeBytes = manager.getTungstenMemoryMode() == MemoryMode.ON_HEAP
                ? POLITE_PAGES * manager.pageSizeBytes()
                : Long.MAX_VALUE;
    }

    /** Takes memory if Spark grants it. Spark may make another consumer of the task spill for it. */
    boolean take(long bytes) {
        long missing = held + bytes - getUsed();
        if (missing > 0 && !acquire(missing)) {
            return false;
        }
        held += bytes;
        return true;
    }

    private boolean acquire(long missing) {
        long step = Math.min(LARGEST_STEP_BYTES, Math.max(SMALLEST_STEP_BYTES, getUsed() / 4));
        long wanted = Math.max(missing, step);
        if (wouldTakeFromOthers(wanted)) {
            return false;
        }
        long granted = acquireMemory(wanted);
        if (granted < missing) {
            freeMemory(granted);
            return false;
        }
        peak = Math.max(peak, getUsed());
        return true;
    }

    /**
     * Returns whether Spark might make the operators spill that produce the records. Spark's bypass writer asks for no
     * memory, so with it they have all memory of the task. Operators would spill rows, while this writer's bytes are
     * compressed. Spark cannot make operators that work off the heap spill for a consumer on the heap.
     */
    private boolean wouldTakeFromOthers(long wanted) {
        return getUsed() + wanted > politeBytes && taskMemoryManager.getMemoryConsumptionForThisTask() > getUsed();
    }

    /** Takes memory, whether Spark grants it or not. */
    void force(long bytes) {
        if (!take(bytes)) {
            held += bytes;
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

    /** Returns the most memory that Spark has granted at a time. */
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
