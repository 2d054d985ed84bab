package io.boltshuffle.conf;

/** The user's choice of how bytes move over a cable. */
public enum LinkModeChoice {
    /** The kind of port decides. */
    AUTO,
    SEND,
    READ
}
