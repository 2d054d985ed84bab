package io.boltshuffle.spark.start;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.SparkSupport;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.SparkConf;

/** Checks what must hold before a shuffle starts. Each complaint is one line that says what is wrong and what to do. */
public final class StartupChecks {
    private StartupChecks() {}

    /**
     * Returns one line on why shuffles are left to the Spark that runs, and what to do; empty if the plugin was made
     * for it, or is to try it.
     */
    public static Optional<String> leftToSpark(SparkConf conf) {
        return leftToSpark(
                sparkVersion(),
                scala.util.Properties.versionNumberString(),
                SparkSettings.wantsUnknownSparkTried(conf));
    }

    static Optional<String> leftToSpark(String sparkVersion, String scalaVersion, boolean tries) {
        SparkSupport support = SparkSupport.of(sparkVersion, scalaVersion);
        boolean left = support == SparkSupport.NEWER ? !tries : support != SparkSupport.KNOWN;
        return left
                ? Optional.of("Shuffles go by Spark's own code and TCP: this is Spark " + sparkVersion + " with Scala "
                        + scalaVersion + ", and boltshuffle was made for " + SparkSupport.madeFor() + "; "
                        + support.remedy())
                : Optional.empty();
    }

    public static String sparkVersion() {
        return org.apache.spark.package$.MODULE$.SPARK_VERSION();
    }

    /**
     * Checks that executors will find the plugin. Spark 3.5 creates the shuffle manager before it fetches
     * {@code --jars}: executors would die and be replaced for ever.
     *
     * @param pluginJar the path or URL that the driver loaded the plugin from
     * @param jars Spark's {@code spark.jars}
     * @param executorClassPath Spark's {@code spark.executor.extraClassPath}
     */
    public static Optional<String> jarOutOfReach(
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
     * Checks that blocks in memory will go by RDMA if the user asks for that.
     *
     * @param plugin the name of the plugin's class
     * @param plugins Spark's {@code spark.plugins}
     */
    public static Optional<String> blocksWithoutPlugin(boolean asked, String plugin, String plugins) {
        boolean isLoaded = Arrays.stream(plugins.split(",", -1))
                .anyMatch(name -> name.strip().equals(plugin));
        return asked && !isLoaded
                ? Optional.of(Options.BLOCKS.key() + "=all has no effect without the plugin; add " + plugin
                        + " to spark.plugins")
                : Optional.empty();
    }
}
