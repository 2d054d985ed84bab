package io.boltshuffle.spark.write;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;

/**
 * Manages a writer's share of Spark's execution memory. It requests memory in steps, because each request takes the
 * locks of the task and of the executor.
 *
 * <p>Spark's bypass writer takes none of that memory. Where Spark would use it, this class takes only what nobody else
 * wants ({@link Source#spare}): it evicts no cached block, it waits for no other task, and operators of this task and
 * of others find as much memory as beside Spark's writer, or half of the executor's until this writer asks again.
 * Spark's other writers evict blocks and wait for tasks; where Spark would use one of those, this class does so, too.
 *
 * <p><b>Invariant:</b> what the writer holds is what Spark granted, but for what {@link #force} was called for: the
 * little that no writer can do without. No other operator of the task is made to spill, unless Spark would not bypass
 * and the executor's memory ran out between a look at it and the request.
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
     * The source of the memory.
     *
     * @param executor what the tasks of the executor share
     * @param task what this one has of it
     * @param attemptId by which the executor knows the task
     * @param bypassed whether Spark would write with its bypass writer, which takes nothing of it
     * @param heldInstead what all writers of the executor hold that stand in for that one
     */
    record Source(
            MemoryManager executor, TaskMemoryManager task, long attemptId, boolean bypassed, AtomicLong heldInstead) {

        /**
         * Returns how many of {@code bytes} a task could have without making its own operators spill. Blocks may be
         * evicted.
         */
        long free(long bytes) {
            long granted = executor.acquireExecutionMemory(bytes, attemptId, MemoryMode.ON_HEAP);
            executor.releaseExecutionMemory(granted, attemptId, MemoryMode.ON_HEAP);
            return granted;
        }

        /**
         * Returns how many of {@code bytes} can be had without harm to others. The caller holds the lock of {@link
         * #executor}, so that the answer is true until it has asked. Afterwards
         *
         * <ul>
         *   <li>half of the executor's memory is free, as is the next page that an operator of this task asks for;
         *   <li>no more tasks hold memory than without the writer, as long as operators of others hold some, because
         *       Spark limits each task by their number;
         *   <li>a quarter of the heap is free, if all that is in use for execution is yet to grow old.
         * </ul>
         *
         * <p>The look is a request that is taken back. It is for no more than is in use neither for execution nor for
         * storage. For such a request Spark evicts nothing, because it evicts only for what is not free; and it does
         * not wait, because it waits only where less is free than was asked for and the task has less than half of its
         * share: here the task either gets all, or has its share.
         */
        long spare(long bytes, long held) {
            long unlessExecuting = executor.maxOnHeapStorageMemory();
            long free = unlessExecuting - executor.onHeapStorageMemoryUsed();
            long executing = executor.onHeapExecutionMemoryUsed();
            if (executing > heldInstead.get() && task.getMemoryConsumptionForThisTask() == held) {
                return 0;
            }
            long unwanted = free - (unlessExecuting + executing) / 2;
            long there = HeapLook.mostBytes() / 4 * 3 - HeapLook.keptBytes() - executing;
            long page = task.pageSizeBytes();
            long asked = Math.min(Math.min(bytes, Math.min(unwanted, there)) + page, free);
            return asked <= page ? 0 : free(asked) - page;
        }
    }

    /** A holder of memory that can be made to give it back. */
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
        this.politeBytes = POLITE_PAGES * source.task().pageSizeBytes();
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
        if (source.bypassed()) {
            return acquireSpare(missing, wanted);
        }
        if (othersHoldMemory()) {
            wanted = Math.min(wanted, withoutSpillingThem(wanted));
        }
        return wanted >= missing && acquire(missing, wanted);
    }

    /** Looks and asks with the locks that Spark takes for a request, in their order: nobody comes between. */
    private boolean acquireSpare(long missing, long wanted) {
        synchronized (source.task()) {
            synchronized (source.executor()) {
                long spare = source.spare(wanted, getUsed());
                return spare >= missing && acquire(missing, spare);
            }
        }
    }

    private boolean acquire(long missing, long wanted) {
        long granted = acquireMemory(wanted);
        if (granted < missing) {
            freeMemory(granted);
            return false;
        }
        return true;
    }

    @Override
    public long acquireMemory(long size) {
        long granted = super.acquireMemory(size);
        count(granted);
        return granted;
    }

    @Override
    public void freeMemory(long size) {
        super.freeMemory(size);
        count(-size);
    }

    private void count(long bytes) {
        if (source.bypassed()) {
            source.heldInstead().addAndGet(bytes);
        }
    }

    private boolean othersHoldMemory() {
        return taskMemoryManager.getMemoryConsumptionForThisTask() > getUsed();
    }

    /**
     * Returns how many of the {@code wanted} bytes can be had although the operators from which the records come hold
     * memory. Where the executor has no more, Spark would make them spill; what they would write are rows, while this
     * writer's bytes are compressed. Once it has its share, it leaves them what is free, too.
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

    /**
     * Gives unused memory back to Spark. Where Spark would bypass, everything goes back, because others may want it.
     * What the writer still uses then is no more than the buffers of Spark's streams, for which Spark asks nobody.
     */
    void trim() {
        long unused = source.bypassed() ? getUsed() : getUsed() - held;
        if (unused > 0) {
            freeMemory(unused);
        }
    }

    /**
     * Returns whether what is gathered of each partition counts: Spark's bypass writer has as much in each of its
     * streams.
     */
    boolean countsBuffers() {
        return !source.bypassed();
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
