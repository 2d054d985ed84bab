package io.boltshuffle.conf;

import java.util.Collection;
import java.util.Map;

/**
 * A key with the plugin's prefix that no option has, or has any more.
 *
 * @param key the key as the user set it
 * @param nearest the known key that is the fewest edits away
 */
public record UnknownKey(String key, String nearest) {

    /** Options that are gone, and since when and why. They have no effect; a job is not refused for one. */
    private static final Map<String, String> GONE = Map.of(
            Options.PREFIX + "outputs.memory",
            "it is gone since 0.2.0, because jobs took 7 % longer with map outputs in memory than without",
            Options.PREFIX + "fetch.parts",
            "it is gone since 0.2.0, because answers in parts saved no time and took more CPU",
            Options.PREFIX + "agent.completionEvents",
            "it is gone since 0.2.0, because waiting for announced completions took more CPU than looking for them");

    static UnknownKey of(String key, Collection<String> known) {
        return new UnknownKey(key, Nearest.ofAny(key, known).orElseThrow());
    }

    /** Returns one line for the log. */
    public String warning() {
        String gone = GONE.get(key);
        if (gone != null) {
            return key + " has no effect: " + gone;
        }
        return key + " is not an option and has no effect; the nearest one is " + nearest;
    }
}
