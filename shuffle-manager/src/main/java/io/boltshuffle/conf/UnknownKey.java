package io.boltshuffle.conf;

import java.util.Collection;

/**
 * A key with our prefix that no option has.
 *
 * @param key as it was set
 * @param nearest the known key that is fewest edits away
 */
public record UnknownKey(String key, String nearest) {

    static UnknownKey of(String key, Collection<String> known) {
        return new UnknownKey(key, Nearest.ofAny(key, known).orElseThrow());
    }

    /** One line for the log. */
    public String warning() {
        return key + " is not an option and has no effect; the nearest one is " + nearest;
    }
}
