package io.boltshuffle.cli.cluster;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What joins the hosts of a cluster.
 *
 * @param emulator what the cables are made of; null when there are none
 * @param slabBytes shared memory of each host's agent
 */
public record HostCables(CableKind kind, @Nullable Path emulator, long slabBytes) {
    /** The least that an agent takes. */
    public static final long LEAST_SLAB_BYTES = 64L << 20;

    public static final HostCables NONE = new HostCables(CableKind.NONE, null, 0);

    public Map<String, String> agentSettings() {
        return Map.of("spark.boltshuffle.agent.slab", (slabBytes >> 20) + "m");
    }
}
