package io.boltshuffle.os;

/** The kind of host, as {@code uname -s} names it. */
public enum OperatingSystem {
    MACOS,
    LINUX,
    UNKNOWN;

    public static OperatingSystem ofUname(String text) {
        return switch (text.strip().split("\\s", 2)[0]) {
            case "Darwin" -> MACOS;
            case "Linux" -> LINUX;
            default -> UNKNOWN;
        };
    }
}
