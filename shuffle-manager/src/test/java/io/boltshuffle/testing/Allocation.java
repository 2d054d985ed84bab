package io.boltshuffle.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Counts the heap that code takes on the thread that runs it. JMH's profiler of allocations reads the same counter of
 * the JVM. It divides by operations of a run that is timed, in a process of its own; here the work is counted out, so
 * that no clock takes part, and an ordinary test can hold a limit in each build.
 *
 * <p>Code that was not compiled yet makes all that it says it makes. The compiler later spares some of it, so figures
 * only fall as a test goes on.
 *
 * <p><b>Threads:</b> confined to one.
 */
public final class Allocation {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The least of some counts: a thread that the JVM makes wait takes a little by itself. */
    private static final int ROUNDS = 3;

    private long bytes;

    /** Work that is measured. */
    @FunctionalInterface
    public interface Work {
        void run() throws Exception;
    }

    /** Work on a number of blocks; it counts by itself what is to be measured of it. */
    @FunctionalInterface
    public interface WorkOnBlocks {
        void run(int blocks) throws Exception;
    }

    /** Runs the work, and adds what it takes. */
    public void count(Work work) throws Exception {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            work.run();
        } finally {
            bytes += THREADS.getCurrentThreadAllocatedBytes() - before;
        }
    }

    /**
     * Returns how many bytes each block takes beyond what a request takes: from what a request of twice as many takes
     * more. All classes must have been loaded by the same work before.
     *
     * @param work counts here
     */
    public double perBlock(int blocks, WorkOnBlocks work) throws Exception {
        long few = Long.MAX_VALUE;
        long many = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            few = Math.min(few, of(blocks, work));
            many = Math.min(many, of(2 * blocks, work));
        }
        return (double) (many - few) / blocks;
    }

    private long of(int blocks, WorkOnBlocks work) throws Exception {
        bytes = 0;
        work.run(blocks);
        return bytes;
    }
}
