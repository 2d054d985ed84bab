package io.boltshuffle.cli.cluster;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The kind of cables that join the hosts of a cluster, and what their agents need for it.
 *
 * @param emulator library of the cables; null if there are none
 * @param slabBytes shared memory of each host's agent
 */
public record HostCables(CableKind kind, @Nullable Path emulator, long slabBytes) {
    /** An agent accepts no smaller slab. */
    public static final long LEAST_SLAB_BYTES = 64L << 20;

    public static final HostCables NONE = new HostCables(CableKind.NONE, null, 0);

    public Map<String, String> agentSettings() {
        return Map.of("spark.boltshuffle.agent.slab", (slabBytes >> 20) + "m");
    }
}
