package io.boltshuffle.spark;

import io.boltshuffle.conf.BlocksChoice;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** Checks what must hold before a shuffle starts. Each failure is one line that says what is wrong and what to do. */
final class StartupChecks {
    private static final Set<String> SUPPORTED_LINES = Set.of("3.5", "4.0", "4.1", "4.2");
    private static final String SCALA_LINE = "2.13";

    private StartupChecks() {}

    /** Checks that the plugin supports this version of Spark. */
    static Optional<String> unsupportedVersion(String sparkVersion, String scalaVersion) {
        String[] parts = sparkVersion.split("[.-]", 3);
        String line = parts.length < 2 ? sparkVersion : parts[0] + "." + parts[1];
        if (!SUPPORTED_LINES.contains(line)) {
            return Optional.of("boltshuffle supports Spark 3.5 to 4.2; this is " + sparkVersion
                    + "; use one of those, or unset spark.shuffle.manager");
        }
        if (!scalaVersion.startsWith(SCALA_LINE + ".")) {
            return Optional.of("boltshuffle supports Spark built for Scala " + SCALA_LINE + "; this one is built for "
                    + scalaVersion + "; use the Scala " + SCALA_LINE
                    + " build of Spark, or unset spark.shuffle.manager");
        }
        return Optional.empty();
    }

    /**
     * Checks that executors will find the plugin. Spark 3.5 creates the shuffle manager before it fetches
     * {@code --jars}: executors would die and be replaced for ever.
     *
     * @param pluginJar the path or URL that the driver loaded the plugin from
     * @param jars Spark's {@code spark.jars}
     * @param executorClassPath Spark's {@code spark.executor.extraClassPath}
     */
    static Optional<String> jarOutOfReach(
            String sparkVersion, String master, String pluginJar, String jars, String executorClassPath) {
        boolean inOneProcess = master.equals("local") || master.startsWith("local[");
        if (!sparkVersion.startsWith("3.5.") || inOneProcess || !executorClassPath.isEmpty()) {
            return Optional.empty();
        }
        String jarName = pluginJar.substring(pluginJar.lastIndexOf('/') + 1);
        boolean onlyByJars = Arrays.stream(jars.split(",")).anyMatch(jar -> jar.endsWith("/" + jarName));
        return onlyByJars
                ? Optional.of("Spark " + sparkVersion + " makes the shuffle manager before it fetches --jars, so"
                        + " executors cannot find " + jarName
                        + "; set spark.executor.extraClassPath to its path on the workers (Spark 4 needs only --jars)")
                : Optional.empty();
    }

    /**
     * Checks that blocks in memory will go by RDMA if they are to.
     *
     * @param plugins Spark's {@code spark.plugins}
     */
    static Optional<String> blocksWithoutPlugin(Settings settings, String plugins) {
        boolean isLoaded = Arrays.stream(plugins.split(",", -1))
                .anyMatch(name -> name.strip().equals(BoltShufflePlugin.class.getName()));
        return settings.get(Options.BLOCKS) == BlocksChoice.ALL && !isLoaded
                ? Optional.of(Options.BLOCKS.key() + "=all has no effect without the plugin; add "
                        + BoltShufflePlugin.class.getName() + " to spark.plugins")
                : Optional.empty();
    }
}
