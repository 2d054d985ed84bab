package io.boltshuffle.spark.fetch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Holds the blocks for which one leg of a fetch still has to answer.
 *
 * <p><b>Invariant:</b> each id can be taken once, and the code that takes it answers for it. This makes delivery
 * exactly-once.
 *
 * <p><b>Threads:</b> safe from any.
 */
final class OutstandingBlocks {
    private final Set<String> blockIds; // guarded by this
    private final Runnable whenAllTaken;

    /**
     * Creates the set.
     *
     * @param whenAllTaken run once, by the thread that takes the last block, before that thread answers for it
     */
    OutstandingBlocks(Collection<String> blockIds, Runnable whenAllTaken) {
        this.blockIds = new HashSet<>(blockIds);
        this.whenAllTaken = whenAllTaken;
    }

    /** Takes one block. Returns false if it was taken before or never belonged here. */
    boolean take(String blockId) {
        boolean taken;
        boolean last;
        synchronized (this) {
            taken = blockIds.remove(blockId);
            last = taken && blockIds.isEmpty();
        }
        if (last) {
            whenAllTaken.run();
        }
        return taken;
    }

    /** Takes those of {@code wanted} that are still here. */
    List<String> takeAll(Collection<String> wanted) {
        List<String> taken = new ArrayList<>(wanted.size());
        boolean last;
        synchronized (this) {
            for (String blockId : wanted) {
                if (blockIds.remove(blockId)) {
                    taken.add(blockId);
                }
            }
            last = !taken.isEmpty() && blockIds.isEmpty();
        }
        if (last) {
            whenAllTaken.run();
        }
        return taken;
    }

    /** Takes all remaining blocks. */
    List<String> takeRest() {
        List<String> rest;
        synchronized (this) {
            rest = List.copyOf(blockIds);
        }
        return takeAll(rest);
    }
}
