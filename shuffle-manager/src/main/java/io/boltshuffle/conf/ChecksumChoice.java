package io.boltshuffle.conf;

/** The user's choice of the bytes that get a checksum before they leave and after they arrive. */
public enum ChecksumChoice {
    /** Sums the bytes that no hardware checks. */
    AUTO,
    ALWAYS
}
