package io.boltshuffle.spark.write;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/**
 * Looks at the heap itself. Spark's accounts know nothing of objects that a user's functions keep, so memory that they
 * call free may not be there.
 */
final class HeapLook {
    private static final List<MemoryPoolMXBean> POOLS = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();

    private HeapLook() {}

    /** Returns how much the heap may take, in bytes. */
    static long mostBytes() {
        return Runtime.getRuntime().maxMemory();
    }

    /**
     * Returns how many bytes are in use, without those allocated since the last collection. The garbage of old objects
     * is in it until their own collection comes.
     */
    static long keptBytes() {
        return POOLS.stream().mapToLong(HeapLook::keptBytes).sum();
    }

    /** Pools of young objects have no threshold. A collector with one pool for all has young objects there, too. */
    private static long keptBytes(MemoryPoolMXBean pool) {
        if (!pool.isUsageThresholdSupported()) {
            return 0;
        }
        MemoryUsage usage = POOLS.size() == 1 ? pool.getCollectionUsage() : pool.getUsage();
        return usage == null ? 0 : usage.getUsed();
    }
}
