package io.boltshuffle.proof.bench.compare;

import java.util.Locale;

/** Says whether Spark compresses what it shuffles. */
public enum Compression {
    ON,
    OFF;

    String setting() {
        return Boolean.toString(this == ON);
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    String title() {
        return this == ON ? "compressed" : "plain";
    }
}
