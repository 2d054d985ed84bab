package io.boltshuffle.spark;

import io.boltshuffle.spark.ui.ReportReceiver;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Shows in Spark's UI what the shuffle does: executors report, and the driver draws. Set it as {@code spark.plugins};
 * the shuffle works without it.
 */
public final class BoltShufflePlugin implements SparkPlugin {
    @Override
    public DriverPlugin driverPlugin() {
        return new ReportReceiver();
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ReportSender();
    }
}
