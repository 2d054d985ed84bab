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

    /** Counts inserted, deleted and replaced characters, and neighbours that changed places. */
    private static int edits(String from, String to) {
        int[][] edits = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : fewest(edits, from, to, i, j);
            }
        }
        return edits[from.length()][to.length()];
    }

    /** Looks at the ends of the first {@code i} and the first {@code j} characters, which are at least one each. */
    private static int fewest(int[][] edits, String from, String to, int i, int j) {
        boolean equal = from.charAt(i - 1) == to.charAt(j - 1);
        int fewest = Math.min(edits[i - 1][j - 1] + (equal ? 0 : 1), 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(fewest, edits[i - 2][j - 2] + 1) : fewest;
    }
}
