package io.boltshuffle.cli.doctor.check;

/** The severities in rising order, so that the worst of several is the greatest. */
public enum Severity {
    OK,
    WARNING,
    FAILURE
}
