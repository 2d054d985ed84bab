package io.boltshuffle.cli.base;

/** Writes a number and what it counts, in English. */
public final class Counted {
    private Counted() {}

    /** Returns, for example, {@code 1 host} or {@code 2 hosts}. */
    public static String of(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
