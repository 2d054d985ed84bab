package io.boltshuffle.agent.stage;

import io.boltshuffle.wire.BlockRange;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Map outputs of which a block was looked up a moment ago. The next reducer asks for its blocks of the same ones, and
 * the names alone of an output's files take longer to make than a small block takes to read.
 *
 * <p><b>Invariant:</b> their indexes take no more than a limit together.
 *
 * <p><b>Threads:</b> any.
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

    private final long limitBytes;
    /** Least recently used first. Guarded by this. */
    private final Map<Key, MapOutput> outputs = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;
    private long generation;

    MapOutputs(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** The output that has this block. */
    synchronized Optional<MapOutput> find(String application, String executor, BlockRange block) {
        return Optional.ofNullable(outputs.get(Key.of(application, executor, block)));
    }

    /** Changes when all is forgotten. */
    synchronized long generation() {
        return generation;
    }

    /**
     * Keeps the output that has this block.
     *
     * @param since the generation before it was read; one that was read before all was forgotten is not kept
     */
    synchronized void keep(String application, String executor, BlockRange block, MapOutput output, long since) {
        if (since != generation) {
            return;
        }
        MapOutput other = outputs.put(Key.of(application, executor, block), output);
        bytes += cost(output) - (other == null ? 0 : cost(other));
        for (Iterator<MapOutput> oldest = outputs.values().iterator(); bytes > limitBytes && oldest.hasNext(); ) {
            bytes -= cost(oldest.next());
            oldest.remove();
        }
    }

    /** Forgets all: an executor may have other directories now. */
    synchronized void forget() {
        generation++;
        outputs.clear();
        bytes = 0;
    }

    private static long cost(MapOutput output) {
        return output.bytes() + EXTRA_BYTES;
    }
}
