package io.boltshuffle.rdma;

/**
 * Says whether a provider can be used on this host. Absence is an ordinary answer: the caller uses TCP and says why.
 */
public sealed interface Availability {

    /** The library is loaded and its symbols are bound. This says nothing yet about devices. */
    record Available(String library) implements Availability {}

    /**
     * The provider cannot be used.
     *
     * @param reason what was seen, in one line
     * @param remedy what a person can do about it, in one line
     */
    record Unavailable(String reason, String remedy) implements Availability {}
}
