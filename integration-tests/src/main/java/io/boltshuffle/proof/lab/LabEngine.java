package io.boltshuffle.proof.lab;

import java.util.Locale;

/** The program that runs the guest's kernel. */
public enum LabEngine {
    /** Debian's stock kernel under software emulation: nothing to build, and slow. */
    QEMU,
    /** The same sources, built once as a process of this machine: programs run on the real processor. */
    UML;

    /** Returns its name on command lines. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
