package io.boltshuffle.cli.base;

/** A number and what it counts, in English. */
public final class Counted {
    private Counted() {}

    /** {@code 1 host}, {@code 2 hosts} */
    public static String of(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
