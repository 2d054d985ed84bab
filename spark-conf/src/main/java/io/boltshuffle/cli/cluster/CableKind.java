package io.boltshuffle.cli.cluster;

import java.util.List;
import java.util.Locale;

/** What joins the hosts of a virtual cluster. */
public enum CableKind {
    /** Virtual cables if there is an emulator to be had, else nothing. */
    AUTO,
    /** Nothing: every block goes by TCP. */
    NONE,
    /** Virtual Thunderbolt by Apple's rules: SEND and RECV. */
    SEND,
    /** Virtual cables by the rules of Linux, with RDMA READ. */
    READ;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return label();
    }

    /** First lines of the virtual Thunderbolt's topology file. */
    public List<String> topology() {
        return this == READ ? List.of("profile linux", "mode rc") : List.of("profile apple");
    }
}
