package io.boltshuffle.conf;

/** Which bytes are summed before they leave and after they arrived, as a person may choose it. */
public enum ChecksumChoice {
    /** Those that no hardware checks. */
    AUTO,
    ALWAYS
}
