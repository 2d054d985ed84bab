package io.boltshuffle.agent.stage;

import io.boltshuffle.wire.BlockRange;
import org.jspecify.annotations.Nullable;

/**
 * Map outputs of which a block was looked up a moment ago. The next reducer asks for its blocks of the same ones, and
 * the names alone of an output's files take longer to make than a small block takes to read.
 *
 * <p><b>Invariant:</b> their indexes take no more than a limit together.
 *
 * <p><b>Threads:</b> any. Finding one takes no lock.
 */
final class MapOutputs {

    /** What is kept beside the index: names, and entries of maps. */
    private static final int EXTRA_BYTES = 512;

    /** The executor that wrote an output, and which of its outputs it is. */
    private record Key(String application, String executor, int shuffleId, long mapId) {
        static Key of(String application, String executor, BlockRange block) {
            return new Key(application, executor, block.shuffleId(), block.mapId());
        }
    }

    private final RecentlyUsed<Key, MapOutput> outputs;

    private volatile long generation; // written under the lock

    MapOutputs(long limitBytes) {
        this.outputs = new RecentlyUsed<>(limitBytes);
    }

    /** Returns the output that has this block, or null. */
    @Nullable MapOutput find(String application, String executor, BlockRange block) {
        return outputs.get(Key.of(application, executor, block));
    }

    /** Changes when all is forgotten. */
    long generation() {
        return generation;
    }

    /**
     * Keeps the output that has this block.
     *
     * @param since the generation before it was read; one that was read before all was forgotten is not kept
     */
    synchronized void keep(String application, String executor, BlockRange block, MapOutput output, long since) {
        if (since == generation) {
            outputs.put(Key.of(application, executor, block), output, output.bytes() + EXTRA_BYTES);
        }
    }

    /** Forgets all: an executor may have other directories now. */
    synchronized void forget() {
        generation++;
        outputs.removeIf(output -> true);
    }
}
