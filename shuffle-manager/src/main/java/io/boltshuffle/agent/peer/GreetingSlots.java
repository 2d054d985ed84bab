package io.boltshuffle.agent.peer;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Limits how many connections may be open whose other end proved nothing yet: few from one address, and few from all
 * addresses together. A newcomer takes the place of the oldest: an agent proves itself within milliseconds, so that
 * those that stay are strangers. The addresses of hosts that executors here ask for do not count among all, and
 * strangers do not take their places.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 *
 * @param <T> a connection
 */
final class GreetingSlots<T> {

    static final int FROM_ONE_ADDRESS = 8;
    static final int FROM_STRANGERS = 64;

    private final Map<T, InetAddress> open = new LinkedHashMap<>();
    private final Map<String, Set<InetAddress>> known = new HashMap<>();

    /** Notes where a host is that executors here ask for. */
    void know(String host, List<InetAddress> addresses) {
        known.put(host, new HashSet<>(addresses));
    }

    void forget(String host) {
        known.remove(host);
    }

    /**
     * Counts the connection, until it is {@link #release released}.
     *
     * @return the connection that has to be closed for it, and is not counted any more
     */
    Optional<T> take(T connection, InetAddress address) {
        Optional<T> loser = oldestOf(FROM_ONE_ADDRESS, address::equals);
        if (loser.isEmpty() && !isKnown(address)) {
            loser = oldestOf(FROM_STRANGERS, other -> !isKnown(other));
        }
        loser.ifPresent(open::remove);
        open.put(connection, address);
        return loser;
    }

    void release(T connection) {
        open.remove(connection);
    }

    private Optional<T> oldestOf(int most, Predicate<InetAddress> which) {
        if (count(which) < most) {
            return Optional.empty();
        }
        return open.entrySet().stream()
                .filter(entry -> which.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private long count(Predicate<InetAddress> which) {
        return open.values().stream().filter(which).count();
    }

    /** Returns whether a host is there that executors here ask for. */
    boolean isKnown(InetAddress address) {
        return known.values().stream().anyMatch(addresses -> addresses.contains(address));
    }
}
