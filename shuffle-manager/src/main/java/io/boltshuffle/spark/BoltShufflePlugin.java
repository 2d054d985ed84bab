package io.boltshuffle.spark;

import io.boltshuffle.spark.block.BlockServices;
import io.boltshuffle.spark.ui.ReportReceiver;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows in Spark's UI what the shuffle does: executors report, and the driver draws. Unless {@code
 * spark.boltshuffle.blocks=shuffle} is set, it also puts RDMA in front of Spark's block transfer service. Set it as {@code
 * spark.plugins}; the shuffle works without it. On a Spark that the plugin was not made for, it only says so.
 */
public final class BoltShufflePlugin implements SparkPlugin {
    private static final Logger log = LoggerFactory.getLogger(BoltShufflePlugin.class);

    @Override
    public DriverPlugin driverPlugin() {
        SparkConf conf = SparkEnv.get().conf();
        Optional<String> leftToSpark = StartupChecks.leftToSpark(conf);
        if (leftToSpark.isPresent()
                && !conf.get("spark.shuffle.manager", "").equals(BoltShuffleManager.class.getName())) {
            log.warn(leftToSpark.get()); // the manager is not there to say it
        }
        return new ReportReceiver(BoltShufflePlugin::startBlocks, leftToSpark.orElse(null));
    }

    /** In a local application no block comes from another process. */
    private static void startBlocks() {
        SparkEnv env = SparkEnv.get();
        boolean isLocal = env.conf().get("spark.master", "").matches("local(\\[.*)?");
        if (SparkSettings.wantAllBlocks(env.conf()) && !isLocal) {
            BlockServices.install(env, () -> SparkSettings.of(env.conf()));
        }
    }

    /** Returns null, which Spark takes for no plugin, if everything is left to this Spark. */
    @Override
    public @Nullable ExecutorPlugin executorPlugin() {
        return StartupChecks.leftToSpark(SparkEnv.get().conf()).isPresent() ? null : new ReportSender();
    }
}
