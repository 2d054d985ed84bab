package io.boltshuffle.cli.runtime;

import io.boltshuffle.cli.base.BoltException;
import java.util.List;
import java.util.regex.Pattern;

/** Turns Maven's error output into one line with a remedy. */
final class MavenFailure {
    private static final List<String> NETWORK_SIGNS = List.of(
            "Unknown host",
            "Could not transfer",
            "Connection refused",
            "Connect timed out",
            "Network is unreachable",
            "timed out",
            "offline mode");

    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");

    private MavenFailure() {}

    /** Returns a line of Maven's without the codes that colour it. */
    static String plain(String line) {
        return COLOUR.matcher(line).replaceAll("");
    }

    static BoltException explain(GatheredJars wanted, String release, List<String> errors) {
        String all = String.join("\n", errors);
        String what = "Maven could not gather " + wanted.title(release);
        if (all.contains("No space left on device")) {
            return BoltException.environment(
                    what + ", the disk is full", "free some space, or set BOLT_CACHE to a directory on a roomier disk");
        }
        if (NETWORK_SIGNS.stream().anyMatch(all::contains)) {
            return BoltException.environment(
                    what + ", Maven Central is out of reach",
                    "check the network or the mirror in ~/.m2/settings.xml, or " + wanted.otherwise());
        }
        String first = errors.stream()
                .map(error -> error.replaceFirst("^\\[ERROR] *", ""))
                .filter(error -> !error.isBlank())
                .findFirst()
                .orElse("it said nothing");
        return BoltException.environment(what + " (" + first + ")", "mend that, or " + wanted.otherwise());
    }
}
