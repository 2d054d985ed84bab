package io.boltshuffle.conf;

import java.util.Collection;
import java.util.Comparator;

/**
 * A key with our prefix that no option has.
 *
 * @param key as it was set
 * @param nearest the known key that is fewest edits away
 */
public record UnknownKey(String key, String nearest) {

    static UnknownKey of(String key, Collection<String> known) {
        String nearest = known.stream()
                .min(Comparator.<String>comparingInt(candidate -> edits(key, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .orElseThrow();
        return new UnknownKey(key, nearest);
    }

    /** One line for the log. */
    public String warning() {
        return key + " is not an option and has no effect; the nearest one is " + nearest;
    }

    /** Levenshtein distance, one row at a time. */
    private static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int substitute = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
