package io.boltshuffle.examples;

import java.util.Map;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.metrics.MetricsSystem;
import org.jspecify.annotations.Nullable;

/**
 * Makes an executor of a standalone cluster write its last metrics report before its JVM ends.
 *
 * <p>At the end of an application the driver tells its executors to stop, and the worker sends them SIGTERM at the same
 * time. The executor then reports on a thread for which a JVM that is ending does not wait, so that a short job may
 * leave no figures. The JVM does wait for a shutdown hook, and reports are written one at a time.
 */
public final class LastReport implements SparkPlugin {
    @Override
    public @Nullable DriverPlugin driverPlugin() {
        return null;
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ExecutorPlugin() {
            @Override
            public void init(PluginContext context, Map<String, String> settings) {
                MetricsSystem metrics = SparkEnv.get().metricsSystem();
                Runtime.getRuntime().addShutdownHook(new Thread(metrics::report, "last-report"));
            }
        };
    }
}
