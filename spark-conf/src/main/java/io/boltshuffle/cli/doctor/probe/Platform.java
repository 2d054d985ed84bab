package io.boltshuffle.cli.doctor.probe;

/** The kind of host, as {@code uname -s} names it. */
public enum Platform {
    MACOS,
    LINUX,
    UNKNOWN;

    static Platform ofUname(String text) {
        return switch (text.strip().split("\\s", 2)[0]) {
            case "Darwin" -> MACOS;
            case "Linux" -> LINUX;
            default -> UNKNOWN;
        };
    }
}
