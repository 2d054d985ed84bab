package io.boltshuffle.conf;

/** How bytes move over a cable, as a person may choose it. */
public enum LinkModeChoice {
    /** By the kind of port. */
    AUTO,
    SEND,
    READ
}
