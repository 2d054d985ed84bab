package io.boltshuffle.conf;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known word that a mistyped one was probably meant to be. */
public final class Nearest {
    /** One edit for each so many characters is a slip; more edits make another word. */
    private static final int CHARACTERS_FOR_AN_EDIT = 3;

    private Nearest() {}

    /** Returns the nearest known word, or empty if none is near. */
    public static Optional<String> of(String word, Collection<String> known) {
        return ofAny(word, known)
                .filter(candidate -> edits(word, candidate) <= Math.max(1, word.length() / CHARACTERS_FOR_AN_EDIT));
    }

    /** Returns the known word with the fewest edits, however many they are, or empty if no word is known. */
    static Optional<String> ofAny(String word, Collection<String> known) {
        return known.stream()
                .min(Comparator.<String>comparingInt(candidate -> edits(word, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Computes the Levenshtein distance one row at a time. */
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
