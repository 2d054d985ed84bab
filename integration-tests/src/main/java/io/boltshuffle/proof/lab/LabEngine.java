package io.boltshuffle.proof.lab;

import java.util.Locale;

/** The program that runs the guest's kernel. */
public enum LabEngine {
    /** Debian's stock kernel under software emulation: nothing to build, and slow. */
    QEMU,
    /** The same sources, built once as a process of this machine: programs run on the real processor. */
    UML,
    /** A Debian for arm64 with pages of 16 KiB, its kernel and programs, under software emulation: very slow. */
    ARM64;

    /** Returns its name on command lines. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns whether programs of the guest are not this machine's. Then the guest has the checkout and the Maven
     * repository only, and a JVM of its own.
     */
    boolean hasOwnRoot() {
        return this == ARM64;
    }
}
