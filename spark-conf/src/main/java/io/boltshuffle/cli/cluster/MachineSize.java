package io.boltshuffle.cli.cluster;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Chooses how much of a machine that people use besides a cluster gets: docs/sizing.md.
 *
 * @param memoryBytes all that it has; in a container, what that may use
 */
public record MachineSize(long memoryBytes, int processors) {
    private static final long GIB = 1L << 30;
    private static final long LARGEST_SLAB_BYTES = 8 * GIB;

    /** A host's agent registers at most this fraction of its memory. */
    private static final int MEMORY_PER_SLAB = 16;

    /** The fraction that is left to the system, to Python, and to the person at the machine. */
    private static final int MEMORY_PER_RESERVE = 4;

    private static final long LEAST_RESERVE_BYTES = 2 * GIB;

    /** A machine with more processors than that has one for the agent and the person at it. */
    private static final int FEW_PROCESSORS = 4;

    public static MachineSize ofThisMachine() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new MachineSize(system.getTotalMemorySize(), Runtime.getRuntime().availableProcessors());
    }

    /** Returns the registered memory of the agent, in whole GiB: a sixteenth, from 1 to 8 GiB. */
    public static long slabBytes(long memoryBytes) {
        return Math.max(GIB, Math.min(LARGEST_SLAB_BYTES, memoryBytes / MEMORY_PER_SLAB)) / GIB * GIB;
    }

    public int workerCores() {
        return processors > FEW_PROCESSORS ? processors - 1 : processors;
    }

    /** Returns what executors may share besides a slab; it may be too little for any, or below zero. */
    public long workerMemoryBytes(long slabBytes) {
        return memoryBytes - slabBytes - Math.max(LEAST_RESERVE_BYTES, memoryBytes / MEMORY_PER_RESERVE);
    }

    /** Returns the memory of an executor: half of a worker, so that there is room for a second application. */
    public static long executorMemoryBytes(long workerMemoryBytes) {
        return Math.max(workerMemoryBytes / 2, Math.min(workerMemoryBytes, GIB));
    }
}
