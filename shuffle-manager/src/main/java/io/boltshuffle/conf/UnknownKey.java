package io.boltshuffle.conf;

import java.util.Collection;

/**
 * A key with the plugin's prefix that no option has.
 *
 * @param key the key as the user set it
 * @param nearest the known key that is the fewest edits away
 */
public record UnknownKey(String key, String nearest) {

    static UnknownKey of(String key, Collection<String> known) {
        return new UnknownKey(key, Nearest.ofAny(key, known).orElseThrow());
    }

    /** Returns one line for the log. */
    public String warning() {
        return key + " is not an option and has no effect; the nearest one is " + nearest;
    }
}
