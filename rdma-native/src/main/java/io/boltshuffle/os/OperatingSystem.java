package io.boltshuffle.os;

import java.util.Locale;

/** The kinds of operating system that are told apart. */
public enum OperatingSystem {
    MACOS,
    LINUX,
    UNKNOWN;

    private static final OperatingSystem CURRENT = ofName(System.getProperty("os.name", ""));

    /** The one that this JVM runs on. */
    public static OperatingSystem current() {
        return CURRENT;
    }

    /** Returns the system of a name, as Java's property {@code os.name} or {@code uname -s} gives it. */
    public static OperatingSystem ofName(String name) {
        String word = name.strip().toLowerCase(Locale.ROOT);
        if (word.startsWith("mac") || word.startsWith("darwin")) {
            return MACOS;
        }
        return word.startsWith("linux") ? LINUX : UNKNOWN;
    }
}
