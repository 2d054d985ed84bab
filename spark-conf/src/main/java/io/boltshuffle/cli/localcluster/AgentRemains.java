package io.boltshuffle.cli.localcluster;

import io.boltshuffle.agent.SlabName;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * The slabs of agents that were killed. A slab has a name outside the agent's directory, and only a successor would
 * replace it.
 */
final class AgentRemains {
    private AgentRemains() {}

    /**
     * Removes the slabs of all agents that met their executors below a root.
     *
     * @param root in which no agent lives any more
     */
    static void remove(Path root) {
        try {
            for (MeetingPlace place : MeetingPlace.existing(root)) {
                Slab.removeLeft(SlabLocation.preferred(SlabName.of(place)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
