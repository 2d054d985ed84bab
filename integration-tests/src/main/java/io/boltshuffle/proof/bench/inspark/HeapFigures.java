package io.boltshuffle.proof.bench.inspark;

import com.sun.management.ThreadMXBean;
import java.io.Serializable;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The work of executors on their heaps, summed over all of them. The command reads it, too, and has no class of Spark.
 *
 * @param allocatedBytes by threads that still live; those that run tasks do, for a minute
 * @param collections of any kind
 * @param pauseMillis in which an executor stood still for them, however many tasks it ran
 */
public record HeapFigures(long allocatedBytes, long collections, long pauseMillis) implements Serializable {
    static final HeapFigures NONE = new HeapFigures(0, 0, 0);

    /** Returns what this process has done since it started. */
    public static HeapFigures ofThisProcess() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return new HeapFigures(
                Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                        .filter(bytes -> bytes > 0)
                        .sum(),
                ofCollectors(GarbageCollectorMXBean::getCollectionCount),
                ofCollectors(GarbageCollectorMXBean::getCollectionTime));
    }

    private static long ofCollectors(ToLongFunction<GarbageCollectorMXBean> figure) {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        return collectors.stream().mapToLong(figure).sum();
    }

    HeapFigures plus(HeapFigures other) {
        return new HeapFigures(
                allocatedBytes + other.allocatedBytes,
                collections + other.collections,
                pauseMillis + other.pauseMillis);
    }

    HeapFigures since(HeapFigures earlier) {
        return new HeapFigures(
                allocatedBytes - earlier.allocatedBytes,
                collections - earlier.collections,
                pauseMillis - earlier.pauseMillis);
    }
}
