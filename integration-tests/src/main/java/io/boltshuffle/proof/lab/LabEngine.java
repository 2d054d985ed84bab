package io.boltshuffle.proof.lab;

import java.util.Locale;

/** What runs the guest's kernel. */
public enum LabEngine {
    /** Debian's stock kernel under software emulation: nothing to build, and slow. */
    QEMU,
    /** The same sources built as a process of this machine, once: programs run on the real processor. */
    UML;

    /** Its name on command lines. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
