package io.boltshuffle.spark;

import io.boltshuffle.spark.block.BlockServices;
import io.boltshuffle.spark.ui.ReportReceiver;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Shows in Spark's UI what the shuffle does: executors report, and the driver draws. With {@code
 * spark.boltshuffle.blocks=all} it also puts RDMA in front of Spark's block transfer service. Set it as {@code
 * spark.plugins}; the shuffle works without it.
 */
public final class BoltShufflePlugin implements SparkPlugin {
    @Override
    public DriverPlugin driverPlugin() {
        return new ReportReceiver(BoltShufflePlugin::startBlocks);
    }

    /** In a local application no block comes from another process. */
    private static void startBlocks() {
        SparkEnv env = SparkEnv.get();
        boolean isLocal = env.conf().get("spark.master", "").matches("local(\\[.*)?");
        if (SparkSettings.wantAllBlocks(env.conf()) && !isLocal) {
            BlockServices.install(env, () -> SparkSettings.of(env.conf()));
        }
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ReportSender();
    }
}
