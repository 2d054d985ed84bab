package io.boltshuffle.cli.runtime;

import io.boltshuffle.cli.base.BoltException;
import java.util.List;

/** Turns pip's output into one line with a remedy. */
final class PipFailure {
    private static final List<String> NETWORK_SIGNS =
            List.of("from versions: none", "connection broken by", "Read timed out", "Name or service not known");

    private PipFailure() {}

    static BoltException explain(String release, List<String> said) {
        String all = String.join("\n", said);
        String what = "pip could not gather Spark " + release;
        if (all.contains("No space left on device")) {
            return BoltException.environment(
                    what + ", the disk is full", "free some space, or set BOLT_CACHE to a directory on a roomier disk");
        }
        if (NETWORK_SIGNS.stream().anyMatch(all::contains)) {
            return BoltException.environment(
                    what + ", the Python package index is out of reach",
                    "check the network or the mirror that pip is set to, or set SPARK_HOME to a Spark");
        }
        if (all.contains("No matching distribution found")) {
            return BoltException.environment(
                    what + ", the Python package index has no pyspark " + release,
                    "name another release by --spark, or set SPARK_HOME to a Spark");
        }
        String last = said.stream()
                .filter(line -> line.contains("ERROR:") || line.contains("Error:"))
                .reduce((earlier, later) -> later)
                .map(line -> line.strip().replaceFirst("^ERROR: ", ""))
                .orElse("it did not say why");
        return BoltException.environment(what + " (" + last + ")", "mend that, or set SPARK_HOME to a Spark");
    }
}
