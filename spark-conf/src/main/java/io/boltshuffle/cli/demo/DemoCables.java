package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.cluster.CableKind;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cables of a demo's cluster.
 *
 * @param emulator what they are made of; null when there are none
 * @param slabBytes shared memory of each host's agent
 */
public record DemoCables(CableKind kind, @Nullable Path emulator, long slabBytes) {
    /** The least that an agent takes. */
    public static final long LEAST_SLAB_BYTES = 64L << 20;

    public static final DemoCables NONE = new DemoCables(CableKind.NONE, null, 0);

    Map<String, String> agentSettings() {
        return Map.of("spark.boltshuffle.agent.slab", (slabBytes >> 20) + "m");
    }
}
