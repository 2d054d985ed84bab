package io.boltshuffle.agent.files;

import io.boltshuffle.wire.BlockRange;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Map outputs of which a block was looked up before. The next reducer asks for its blocks of the same ones, and the
 * names alone of an output's files take longer to make than a small block takes to read.
 *
 * <p>Each reducer goes round all outputs of a host. If these do not all fit, those that came first stay: were the least
 * recently used to make room, each would go just before it is asked for again. An output is let go once it was of no
 * use for many rounds, as those of a shuffle that is over are.
 *
 * <p><b>Invariant:</b> their indexes take no more than a limit together.
 *
 * <p><b>Threads:</b> any. Finding one takes no lock.
 */
final class MapOutputs {

    /** The bytes that are kept of an output beside its index: names, and entries of maps. */
    private static final int EXTRA_BYTES = 512;

    /**
     * The largest index that is kept: to read two offsets takes as long for a large index as for a small one, so a
     * larger one is not worth the memory.
     */
    private static final long LARGEST_INDEX_BYTES = 1 << 20;

    /** Outputs that were of no use go after so many vain look-ups for each one that is kept. */
    private static final long MISSES_FOR_EACH = 16;

    /** The executor that wrote an output, and which of its outputs it is. */
    private record Key(String application, String executor, int shuffleId, long mapId) {
        static Key of(String application, String executor, BlockRange block) {
            return new Key(application, executor, block.shuffleId(), block.mapId());
        }
    }

    private static final class Kept {
        private final MapOutput output;
        private final long cost;
        /** Whether it was found since there was last a look at this; one that is new has its chance. */
        private volatile boolean used = true;

        Kept(MapOutput output) {
            this.output = output;
            this.cost = costOf(bytesOf(output));
        }
    }

    private final long limitBytes;
    private final Map<Key, Kept> outputs = new ConcurrentHashMap<>();

    private long cost; // guarded by this
    private long misses; // guarded by this, since outputs were last let go
    private volatile long generation; // written under the lock

    MapOutputs(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Returns the output that has this block, or null. */
    @Nullable MapOutput find(String application, String executor, BlockRange block) {
        Kept kept = outputs.get(Key.of(application, executor, block));
        if (kept == null) {
            return null;
        }
        if (!kept.used) {
            kept.used = true;
        }
        return kept.output;
    }

    /** Returns whether an output that was not found has room here. Asked once for each look-up. */
    synchronized boolean hasRoomFor(long indexBytes) {
        if (indexBytes > LARGEST_INDEX_BYTES) {
            return false;
        }
        if (!fits(costOf(indexBytes)) && ++misses > MISSES_FOR_EACH * outputs.size()) {
            misses = 0;
            letGoUnused();
        }
        return fits(costOf(indexBytes));
    }

    private boolean fits(long wanted) {
        return wanted <= limitBytes - cost;
    }

    private void letGoUnused() {
        remove((key, kept) -> !kept.used);
        outputs.values().forEach(kept -> kept.used = false);
    }

    /** Changes when some are forgotten. */
    long generation() {
        return generation;
    }

    /**
     * Keeps the output that has this block, if there is room.
     *
     * @param since the generation before it was read; one that was read before some were forgotten is not kept
     */
    synchronized void keep(String application, String executor, BlockRange block, MapOutput output, long since) {
        Key key = Key.of(application, executor, block);
        Kept kept = new Kept(output);
        Kept before = outputs.get(key);
        long freed = before == null ? 0 : before.cost;
        if (since == generation && fits(kept.cost - freed)) {
            outputs.put(key, kept);
            cost += kept.cost - freed;
        }
    }

    /** Forgets those of an executor: it may have other directories now. */
    void forget(String application, String executor) {
        forget(key -> key.application().equals(application) && key.executor().equals(executor));
    }

    /** Forgets those of an application. */
    void forget(String application) {
        forget(key -> key.application().equals(application));
    }

    private synchronized void forget(Predicate<Key> unwanted) {
        generation++;
        remove((key, kept) -> unwanted.test(key));
    }

    private void remove(BiPredicate<Key, Kept> unwanted) {
        outputs.entrySet().removeIf(entry -> {
            boolean goes = unwanted.test(entry.getKey(), entry.getValue());
            cost -= goes ? entry.getValue().cost : 0;
            return goes;
        });
    }

    private static long bytesOf(MapOutput output) {
        return (long) Long.BYTES * output.offsets().capacity();
    }

    private static long costOf(long indexBytes) {
        return indexBytes + EXTRA_BYTES;
    }
}
