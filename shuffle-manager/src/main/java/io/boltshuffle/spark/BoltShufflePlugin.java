package io.boltshuffle.spark;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.conf.UnknownKey;
import io.boltshuffle.spark.block.BlockServices;
import io.boltshuffle.spark.fetch.ApplicationSecret;
import io.boltshuffle.spark.start.SparkSettings;
import io.boltshuffle.spark.start.StartupChecks;
import io.boltshuffle.spark.ui.Notice;
import io.boltshuffle.spark.ui.ReportReceiver;
import java.util.List;
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
 * Carries the shuffles of any shuffle manager by RDMA, and shows in Spark's UI what the shuffle does: executors report,
 * and the driver draws. Unless {@code spark.boltshuffle.blocks=shuffle} is set, it also puts RDMA in front of Spark's
 * block transfer service. Set it as {@code spark.plugins}; the plugin's own manager works without it. On a Spark that
 * the plugin was not made for, it only says so.
 */
public final class BoltShufflePlugin implements SparkPlugin {
    private static final Logger log = LoggerFactory.getLogger(BoltShufflePlugin.class);

    @Override
    public DriverPlugin driverPlugin() {
        SparkConf conf = SparkEnv.get().conf();
        Optional<String> leftToSpark = StartupChecks.leftToSpark(conf);
        boolean isAlone = OtherManager.of(conf).isPresent(); // else the plugin's manager does the same
        if (isAlone && leftToSpark.isPresent()) {
            log.warn(leftToSpark.get());
        } else if (isAlone) {
            SparkSettings.of(conf).unknownKeys().stream()
                    .map(UnknownKey::warning)
                    .forEach(log::warn);
            ApplicationSecret.provide(conf);
        }
        return new ReportReceiver(BoltShufflePlugin::onApplication, leftToSpark.orElse(null));
    }

    /** In a local application no block comes from another process. */
    private static List<Notice> onApplication() {
        SparkEnv env = SparkEnv.get();
        if (env.conf().get("spark.master", "").matches("local(\\[.*)?")) {
            return List.of();
        }
        if (SparkSettings.wantAllBlocks(env.conf())) {
            BlockServices.install(env, () -> SparkSettings.of(env.conf()));
            BlockServices.serve(env);
        }
        Settings settings = SparkSettings.of(env.conf());
        List<Notice> notices = OtherManager.of(env.conf()).stream()
                .map(manager -> manager.notice(env.blockManager(), settings))
                .toList();
        notices.forEach(notice -> log.info(notice.text()));
        return notices;
    }

    /** Returns null, which Spark takes for no plugin, if everything is left to this Spark. */
    @Override
    public @Nullable ExecutorPlugin executorPlugin() {
        return StartupChecks.leftToSpark(SparkEnv.get().conf()).isPresent() ? null : new ReportSender();
    }
}
