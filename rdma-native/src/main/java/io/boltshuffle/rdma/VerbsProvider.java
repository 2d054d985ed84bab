package io.boltshuffle.rdma;

import java.util.List;

/** A verbs library, loaded lazily: building one and asking for its availability never throws. */
public interface VerbsProvider {

    /** Short name for people and logs, such as {@code librdma}. */
    String name();

    /** Loads the library on the first call and remembers the answer. */
    Availability availability();

    /**
     * Names of the devices present now. Names change after a cable is re-plugged or the host restarts, so ask each
     * time.
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
