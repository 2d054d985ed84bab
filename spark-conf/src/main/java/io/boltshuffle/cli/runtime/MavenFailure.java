package io.boltshuffle.cli.runtime;

import io.boltshuffle.cli.base.BoltException;
import java.util.List;

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

    private MavenFailure() {}

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
        String first = errors.isEmpty() ? "it said nothing" : errors.get(0).replace("[ERROR] ", "");
        return BoltException.environment(what + " (" + first + ")", "mend that, or " + wanted.otherwise());
    }
}
