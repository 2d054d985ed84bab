package io.boltshuffle.agent.cable;

import io.boltshuffle.topology.Host;
import io.boltshuffle.topology.Topology;
import java.util.List;
import java.util.Optional;

/** Whom a host is cabled to, as far as a topology file says so. */
public final class Neighbours {

    private Neighbours() {}

    /**
     * Returns the neighbours of a host, under the kind of name that it goes by: a file may list hosts by name and by
     * address.
     */
    public static List<String> of(String host, Optional<Topology> topology) {
        Optional<Host> own = topology.flatMap(known -> known.find(host));
        if (topology.isEmpty() || own.isEmpty()) {
            return List.of();
        }
        boolean byName = own.get().name().equals(host);
        return topology.get().hosts().stream()
                .filter(other ->
                        !topology.get().cables(own.get().name(), other.name()).isEmpty())
                .map(other -> byName
                        ? other.name()
                        : other.addresses().stream().findFirst().orElse(other.name()))
                .toList();
    }
}
