package io.boltshuffle.spark;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.conf.UnknownKey;
import io.boltshuffle.spark.fetch.ApplicationSecret;
import io.boltshuffle.spark.start.SparkSettings;
import io.boltshuffle.spark.start.StartupChecks;
import java.security.CodeSource;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spark's sort shuffle with the plugin's readers, which fetch through
 * {@link io.boltshuffle.spark.fetch.RoutingBlockStoreClient}, and with the plugin's writers where
 * {@link io.boltshuffle.spark.write.MapWriters} allows them. On a Spark that the plugin was not made for it is Spark's
 * sort shuffle, and loads none of those classes. Set it as {@code spark.shuffle.manager}.
 *
 * <p>It extends SortShuffleManager instead of holding one, because Spark SQL copies every row before the shuffle for
 * any other manager. It is not final because {@code bolt conformance} subclasses it to count what Spark's suites use it
 * for.
 *
 * <p><b>Threads:</b> safe from any. The constructor must not touch SparkEnv, which does not exist yet (Spark 3.5) or is
 * half made (4.x).
 */
public class BoltShuffleManager extends SortShuffleManager {
    private static final Logger log = LoggerFactory.getLogger(BoltShuffleManager.class);

    private final @Nullable RdmaShuffles shuffles; // null if they are left to Spark

    /** Spark calls this by reflection. */
    public BoltShuffleManager(SparkConf conf, boolean isDriver) {
        super(conf);
        Optional<String> leftToSpark = StartupChecks.leftToSpark(conf);
        if (leftToSpark.isPresent()) {
            shuffles = null;
            if (isDriver) {
                log.warn(leftToSpark.get());
            }
            return;
        }
        if (isDriver) {
            jarOutOfReach(conf).ifPresent(complaint -> {
                throw new IllegalStateException(complaint);
            });
            ApplicationSecret.provide(conf);
        }
        Settings settings = SparkSettings.of(conf);
        if (isDriver) {
            settings.unknownKeys().stream().map(UnknownKey::warning).forEach(log::warn);
            StartupChecks.blocksWithoutPlugin(
                            SparkSettings.askForAllBlocks(conf),
                            BoltShufflePlugin.class.getName(),
                            conf.get("spark.plugins", ""))
                    .ifPresent(log::warn);
        }
        shuffles = new RdmaShuffles(settings, shuffleBlockResolver());
    }

    @Override
    public <K, V> ShuffleWriter<K, V> getWriter(
            ShuffleHandle handle, long mapId, TaskContext context, ShuffleWriteMetricsReporter metrics) {
        Optional<ShuffleWriter<K, V>> ours =
                shuffles == null ? Optional.empty() : shuffles.writer(handle, mapId, context, metrics);
        return ours.orElseGet(() -> super.getWriter(handle, mapId, context, metrics));
    }

    @Override
    public boolean unregisterShuffle(int shuffleId) {
        if (shuffles != null) {
            shuffles.unregistered(shuffleId);
        }
        return super.unregisterShuffle(shuffleId);
    }

    @Override
    public <K, C> ShuffleReader<K, C> getReader(
            ShuffleHandle handle,
            int startMapIndex,
            int endMapIndex,
            int startPartition,
            int endPartition,
            TaskContext context,
            ShuffleReadMetricsReporter metrics) {
        return shuffles == null
                ? super.getReader(handle, startMapIndex, endMapIndex, startPartition, endPartition, context, metrics)
                : shuffles.reader(handle, startMapIndex, endMapIndex, startPartition, endPartition, context, metrics);
    }

    @Override
    public void stop() {
        super.stop();
        if (shuffles != null) {
            shuffles.close();
        }
    }

    /** Returns the client that this process's readers fetch with, for measurements of the fetch alone. */
    public BlockStoreClient blockStoreClient() {
        if (shuffles == null) {
            throw new IllegalStateException("shuffles are left to Spark");
        }
        return shuffles.client();
    }

    private static Optional<String> jarOutOfReach(SparkConf conf) {
        CodeSource source = BoltShuffleManager.class.getProtectionDomain().getCodeSource();
        return source == null
                ? Optional.empty()
                : StartupChecks.jarOutOfReach(
                        StartupChecks.sparkVersion(),
                        conf.get("spark.master", ""),
                        source.getLocation().toString(),
                        conf.get("spark.jars", ""),
                        conf.get("spark.executor.extraClassPath", ""));
    }
}
