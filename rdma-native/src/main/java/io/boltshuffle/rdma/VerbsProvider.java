package io.boltshuffle.rdma;

import java.util.List;

/** A verbs library that loads lazily. Neither creating a provider nor asking for its availability throws. */
public interface VerbsProvider {

    /** Returns a short name for people and logs, such as {@code librdma}. */
    String name();

    /** Loads the library on the first call and remembers the answer. */
    Availability availability();

    /**
     * Returns the names of the devices that are present now. Names change after a cable is plugged in again or the host
     * restarts, so callers ask each time.
     *
     * @throws VerbsException if the library is unavailable or refuses the list
     */
    List<String> deviceNames() throws VerbsException;

    /**
     * Opens a device by name.
     *
     * @throws VerbsException if no device has this name, or the library refuses to open it
     */
    Device open(String deviceName) throws VerbsException;
}
