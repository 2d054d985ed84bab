package io.boltshuffle.topology;

import java.util.HashSet;
import java.util.List;

/** A host: the name by which ssh and Spark reach it, and the addresses of its control connections, the best first. */
public record Host(String name, List<String> addresses) {

    /** @throws InvalidTopologyException if the name or an address is blank, too long or has blanks, or one repeats */
    public Host {
        checkWord("host name", name);
        addresses = List.copyOf(addresses);
        if (addresses.size() > TopologyLimits.MAX_ADDRESSES_PER_HOST) {
            throw new InvalidTopologyException(
                    "host " + name,
                    addresses.size() + " addresses",
                    "at most " + TopologyLimits.MAX_ADDRESSES_PER_HOST);
        }
        addresses.forEach(address -> checkWord("address of " + name, address));
        if (new HashSet<>(addresses).size() != addresses.size()) {
            throw new InvalidTopologyException("host " + name, "an address twice", "each address once");
        }
    }

    public Host(String name) {
        this(name, List.of());
    }

    private static void checkWord(String what, String text) {
        if (text.isEmpty()
                || text.length() > TopologyLimits.MAX_TEXT_CHARS
                || text.chars().anyMatch(c -> c <= ' ')) {
            throw new InvalidTopologyException(
                    what, Quoted.of(text), "1 to " + TopologyLimits.MAX_TEXT_CHARS + " characters without blanks");
        }
    }
}
