package io.boltshuffle.cli.localcluster;

import io.boltshuffle.cli.base.PrivateFiles;
import io.boltshuffle.cli.runtime.PluginFlags;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A configuration directory with which any Spark program of this machine runs on the cluster, and a text that says so.
 */
public final class ClientFiles {
    private ClientFiles() {}

    public static void write(LocalCluster cluster, SparkRuntime runtime, Path pluginJar) {
        ClusterDescription description = cluster.description().orElseThrow();
        Map<String, String> settings = new TreeMap<>(description.settings());
        settings.putAll(new PluginFlags(runtime.line(), pluginJar).settings());
        settings.put("spark.master", description.masterUrl());
        settings.putAll(cluster.secretSettings());
        PrivateFiles.write(
                cluster.clientConfiguration().resolve("spark-defaults.conf"),
                settings.entrySet().stream()
                        .map(setting ->
                                setting.getKey() + " " + setting.getValue().replace("\\", "\\\\"))
                        .collect(Collectors.joining("\n", "", "\n")));
        runtime.writeQuietLogging(cluster.clientConfiguration());
    }

    /** @param end the verb that ends the cluster */
    public static String howToUse(LocalCluster cluster, String end) {
        ClusterDescription description = cluster.description().orElseThrow();
        return String.format(
                "%n%nRun a job:%n  bolt spark-submit --master %s --class my.Main my-app.jar%n"
                        + "A spark-shell, PySpark or notebook of Spark %s finds cluster and plugin by%n  export "
                        + "SPARK_CONF_DIR='%s'%n  export PYSPARK_PYTHON=\"$(command -v python3)\"   # the one that has "
                        + "pyspark%nEnd it:%n  %s",
                description.masterUrl(), description.spark(), cluster.clientConfiguration(), end);
    }
}
