package io.boltshuffle.cli.option;

import io.boltshuffle.os.OperatingSystem;
import java.util.Locale;

/**
 * Names of platforms, such as {@code linux-x86-64} and {@code macos-arm64}: the directories that {@code .ci/cross}
 * makes.
 */
final class PlatformName {
    private static final String CURRENT =
            of(System.getProperty("os.name", ""), System.getProperty("os.arch", "unknown"));

    private PlatformName() {}

    /** The platform that this JVM was built for. On a Mac that is not the processor's where the JVM is emulated. */
    static String current() {
        return CURRENT;
    }

    /** Returns the name for Java's properties {@code os.name} and {@code os.arch}. */
    static String of(String system, String processor) {
        String kind = processor.strip().toLowerCase(Locale.ROOT);
        String family = switch (kind) {
            case "amd64", "x86_64", "x86-64" -> "x86-64";
            case "aarch64", "arm64" -> "arm64";
            default -> kind;
        };
        return OperatingSystem.ofName(system).name().toLowerCase(Locale.ROOT) + "-" + family;
    }
}
