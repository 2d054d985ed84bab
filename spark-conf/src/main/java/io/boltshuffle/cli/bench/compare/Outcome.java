package io.boltshuffle.cli.bench.compare;

/** What a comparison says of an {@link Aim}. */
enum Outcome {
    HOLDS("holds"),
    MISSED("MISSED"),
    /** Too few runs to tell the one from the other. */
    UNDECIDED("more rounds");

    private final String text;

    Outcome(String text) {
        this.text = text;
    }

    /** As a cell of a table. */
    String text() {
        return text;
    }

    static Outcome holds(boolean condition) {
        return condition ? HOLDS : MISSED;
    }
}
