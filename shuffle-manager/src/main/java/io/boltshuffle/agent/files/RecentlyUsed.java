package io.boltshuffle.agent.files;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Values that were used a moment ago, as many as a limit allows. What was not used for the longest time makes room.
 *
 * <p>Readers ask for each block, so {@link #get} takes no lock and counts nothing that they share. It only notes which
 * value had come last when a value was used: those that were used since then count as equally recent.
 *
 * <p><b>Invariant:</b> the values together cost no more than the limit.
 *
 * <p><b>Threads:</b> any.
 */
final class RecentlyUsed<K, V> {

    /** This part of all values goes at once, so that the search for them costs next to nothing for each. */
    private static final int PART_THAT_GOES = 16;

    private final long limit;
    private final Map<K, Entry<V>> entries = new ConcurrentHashMap<>();

    /** Twice the number of values that came: a use of a value lies between two arrivals. Written under the lock. */
    private volatile long arrivals;

    private long cost; // guarded by this

    private static final class Entry<V> {
        private final V value;
        private final long cost;
        private volatile long usedAt;

        Entry(V value, long cost, long usedAt) {
            this.value = value;
            this.cost = cost;
            this.usedAt = usedAt;
        }

        void used(long now) {
            if (usedAt != now) {
                usedAt = now;
            }
        }
    }

    RecentlyUsed(long limit) {
        this.limit = limit;
    }

    /** Returns the value, which counts as used now, or null if there is none. */
    @Nullable V get(K key) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        entry.used(arrivals + 1);
        return entry.value;
    }

    /**
     * Adds a value in the place of the one that has this key.
     *
     * @return what is not here any more: the value before it, and those that made room, perhaps this one
     */
    synchronized List<V> put(K key, V value, long valueCost) {
        List<V> gone = new ArrayList<>();
        long now = arrivals + 2;
        arrivals = now;
        Entry<V> before = entries.put(key, new Entry<>(value, valueCost, now));
        cost += valueCost;
        if (before != null) {
            cost -= before.cost;
            gone.add(before.value);
        }
        if (cost > limit) {
            makeRoom(gone);
        }
        return gone;
    }

    private void makeRoom(List<V> gone) {
        List<Map.Entry<K, Entry<V>>> oldest = leastRecentFirst();
        int part = oldest.size() / PART_THAT_GOES;
        for (int i = 0; i < oldest.size() && (cost > limit || i < part); i++) {
            entries.remove(oldest.get(i).getKey());
            cost -= oldest.get(i).getValue().cost;
            gone.add(oldest.get(i).getValue().value);
        }
    }

    /** Sorts by a copy of what readers change meanwhile. */
    private List<Map.Entry<K, Entry<V>>> leastRecentFirst() {
        record Use<K, V>(Map.Entry<K, Entry<V>> entry, long usedAt) {}
        return entries.entrySet().stream()
                .map(entry -> new Use<>(entry, entry.getValue().usedAt))
                .sorted(Comparator.comparingLong(Use::usedAt))
                .map(Use::entry)
                .toList();
    }

    /** Removes and returns the values for which this holds. */
    synchronized List<V> removeIf(Predicate<V> unwanted) {
        List<V> gone = new ArrayList<>();
        entries.values().removeIf(entry -> {
            boolean goes = unwanted.test(entry.value);
            if (goes) {
                cost -= entry.cost;
                gone.add(entry.value);
            }
            return goes;
        });
        return gone;
    }

    /** Returns the keys, those that were not used for the longest time first. */
    synchronized List<K> keys() {
        return leastRecentFirst().stream().map(Map.Entry::getKey).toList();
    }
}
