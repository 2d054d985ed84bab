package io.boltshuffle.rdma.link.move;

import java.util.Map;
import java.util.TreeMap;

/**
 * A growing set of tokens, kept as ranges: tokens are numbered one after the other, so a link that lives for long needs
 * little memory to remember all that were withdrawn.
 */
final class TokenSet {

    /** First token of a range to its last. */
    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    boolean contains(long token) {
        Map.Entry<Long, Long> range = ranges.floorEntry(token);
        return range != null && token <= range.getValue();
    }

    void add(long token) {
        if (contains(token)) {
            return;
        }
        long first = token;
        long last = token;
        Map.Entry<Long, Long> before = ranges.floorEntry(token);
        if (before != null && before.getValue() == token - 1) {
            first = before.getKey();
        }
        Long after = ranges.remove(token + 1);
        if (after != null) {
            last = after;
        }
        ranges.put(first, last);
    }

    int rangeCount() {
        return ranges.size();
    }
}
