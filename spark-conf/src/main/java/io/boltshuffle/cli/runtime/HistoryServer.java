package io.boltshuffle.cli.runtime;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Spark's history server, for this machine alone. */
public final class HistoryServer {
    public static final String HOST = "127.0.0.1";
    public static final int USUAL_PORT = 18080;

    private HistoryServer() {}

    /**
     * Returns a process that is ready to start.
     *
     * @param pluginJar adds the tab to runs that were made with it
     * @param environment the whole environment of the process, besides what it needs here
     */
    public static ProcessBuilder prepare(
            SparkRuntime runtime, Path pluginJar, Path eventLogs, int port, Map<String, String> environment) {
        Map<String, String> complete = new HashMap<>(environment);
        complete.put("SPARK_LOCAL_IP", HOST);
        complete.put("SPARK_DAEMON_CLASSPATH", pluginJar.toString());
        complete.put(
                "SPARK_HISTORY_OPTS",
                // Hadoop takes the escapes of a URI for parts of the name, so this is a plain path.
                "\"-Dspark.history.fs.logDirectory=file://" + eventLogs + "\" -Dspark.history.ui.port=" + port);
        return new SparkLauncher(runtime).prepare("org.apache.spark.deploy.history.HistoryServer", List.of(), complete);
    }
}
