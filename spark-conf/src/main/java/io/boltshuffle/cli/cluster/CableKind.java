package io.boltshuffle.cli.cluster;

import java.util.List;
import java.util.Locale;

/** The kind of cables that join the hosts of a virtual cluster. */
public enum CableKind {
    /** Virtual cables if an emulator can be found, otherwise none. */
    AUTO,
    /** No cables: every block goes by TCP. */
    NONE,
    /** Virtual Thunderbolt by Apple's rules: SEND and RECV. */
    SEND,
    /** Virtual cables by the rules of Linux, with RDMA READ. */
    READ;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the name as the command line has it. */
    @Override
    public String toString() {
        return label();
    }

    /** Returns the first lines of the virtual Thunderbolt's topology file. */
    public List<String> topology() {
        return this == READ ? List.of("profile linux", "mode rc") : List.of("profile apple");
    }
}
