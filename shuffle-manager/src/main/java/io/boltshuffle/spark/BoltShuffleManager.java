package io.boltshuffle.spark;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.conf.UnknownKey;
import io.boltshuffle.spark.fetch.AgentTransport;
import io.boltshuffle.spark.fetch.ApplicationSecret;
import io.boltshuffle.spark.fetch.RdmaTransport;
import io.boltshuffle.spark.fetch.RoutingBlockStoreClient;
import java.security.CodeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.spark.MapOutputTracker;
import org.apache.spark.MapSizesByExecutorId;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockManagerId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Spark's sort shuffle with the plugin's readers, which fetch through {@link RoutingBlockStoreClient}, and with the
 * plugin's writers where {@link io.boltshuffle.spark.write.MapWriters} allows them. Set it as
 * {@code spark.shuffle.manager}.
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

    private final Settings settings;
    private final Map<Integer, Set<Long>> ownMapIds = new ConcurrentHashMap<>(); // of a shuffle, what our writers wrote
    private @Nullable ShuffleRuntime runtime; // guarded by this

    /** Spark calls this by reflection. */
    public BoltShuffleManager(SparkConf conf, boolean isDriver) {
        super(conf);
        String version = org.apache.spark.package$.MODULE$.SPARK_VERSION();
        require(StartupChecks.unsupportedVersion(version, scala.util.Properties.versionNumberString()));
        if (isDriver) {
            require(jarOutOfReach(version, conf));
            ApplicationSecret.provide(conf);
        }
        this.settings = SparkSettings.of(conf);
        if (isDriver) {
            settings.unknownKeys().stream().map(UnknownKey::warning).forEach(log::warn);
            StartupChecks.blocksWithoutPlugin(settings, conf.get("spark.plugins", ""))
                    .ifPresent(log::warn);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // every handle of the sort shuffle is a BaseShuffleHandle of its dependency's types
    public <K, V> ShuffleWriter<K, V> getWriter(
            ShuffleHandle handle, long mapId, TaskContext context, ShuffleWriteMetricsReporter metrics) {
        runtime().onWrite(); // an executor which only writes has its metrics by that, too
        Optional<ShuffleWriter<K, V>> ours =
                runtime().writers().writer((BaseShuffleHandle<K, V, ?>) handle, mapId, context, metrics);
        ours.ifPresent(writer -> ownMapIds
                .computeIfAbsent(handle.shuffleId(), shuffle -> ConcurrentHashMap.newKeySet())
                .add(mapId));
        return ours.orElseGet(() -> super.getWriter(handle, mapId, context, metrics));
    }

    /**
     * Deletes the output of the plugin's writers. Spark tracks, and deletes, only what its own writers have written.
     */
    @Override
    public boolean unregisterShuffle(int shuffleId) {
        Set<Long> mapIds = ownMapIds.remove(shuffleId);
        if (mapIds != null) {
            mapIds.forEach(mapId -> shuffleBlockResolver().removeDataByMap(shuffleId, mapId));
        }
        return super.unregisterShuffle(shuffleId);
    }

    @Override
    @SuppressWarnings("unchecked") // every handle of the sort shuffle is a BaseShuffleHandle of its dependency's types
    public <K, C> ShuffleReader<K, C> getReader(
            ShuffleHandle handle,
            int startMapIndex,
            int endMapIndex,
            int startPartition,
            int endPartition,
            TaskContext context,
            ShuffleReadMetricsReporter metrics) {
        var dependency = ((BaseShuffleHandle<K, ?, C>) handle).dependency();
        MapOutputTracker tracker = SparkEnv.get().mapOutputTracker();
        boolean merged = dependency.isShuffleMergeFinalizedMarked();
        MapSizesByExecutorId blocks = merged
                ? tracker.getPushBasedShuffleMapSizesByExecutorId(
                        handle.shuffleId(), startMapIndex, endMapIndex, startPartition, endPartition)
                : new MapSizesByExecutorId(
                        tracker.getMapSizesByExecutorId(
                                handle.shuffleId(), startMapIndex, endMapIndex, startPartition, endPartition),
                        true);
        boolean batch = blocks.enableBatchFetch() && canUseBatchFetch(startPartition, endPartition, context);
        List<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> addresses =
                CollectionConverters.asJava(blocks.iter().toList());
        BlockManager own = SparkEnv.get().blockManager();
        Set<String> hosts = fetchedFrom(
                addresses.stream().map(Tuple2::_1).toList(),
                own.blockManagerId(),
                own.hostLocalDirManager().isDefined());
        return new BoltShuffleReader<>(
                SparkEnv.get(),
                runtime().client(),
                dependency,
                CollectionConverters.asScala(addresses.iterator()),
                runtime().maxBytesInFlight(hosts, merged, context),
                batch,
                context,
                metrics,
                settings.get(Options.ENABLED) && settings.get(Options.SQL_ROWS));
    }

    /**
     * Returns the hosts from which a reader fetches. A reader reads its executor's own output from disk, and also the
     * output of other executors of its host if Spark lets it.
     *
     * @param writers where the blocks are
     */
    static Set<String> fetchedFrom(List<BlockManagerId> writers, BlockManagerId reader, boolean readsDisksOfHost) {
        return writers.stream()
                .filter(writer -> !writer.executorId().equals(reader.executorId()))
                .filter(writer -> !readsDisksOfHost || !writer.host().equals(reader.host()))
                .map(BlockManagerId::host)
                .collect(Collectors.toSet());
    }

    @Override
    public void stop() {
        super.stop();
        synchronized (this) {
            if (runtime != null) {
                runtime.close();
            }
        }
    }

    private synchronized ShuffleRuntime runtime() {
        if (runtime == null) {
            RdmaTransport transport = AgentTransport.open(SparkEnv.get(), settings);
            try {
                runtime = new ShuffleRuntime(SparkEnv.get(), settings, transport, shuffleBlockResolver());
            } catch (RuntimeException | Error e) {
                transport.close(); // the next task tries again
                throw e;
            }
        }
        return runtime;
    }

    /** Returns the client that this process's readers fetch with, for measurements of the fetch alone. */
    public BlockStoreClient blockStoreClient() {
        return runtime().client();
    }

    private static Optional<String> jarOutOfReach(String version, SparkConf conf) {
        CodeSource source = BoltShuffleManager.class.getProtectionDomain().getCodeSource();
        return source == null
                ? Optional.empty()
                : StartupChecks.jarOutOfReach(
                        version,
                        conf.get("spark.master", ""),
                        source.getLocation().toString(),
                        conf.get("spark.jars", ""),
                        conf.get("spark.executor.extraClassPath", ""));
    }

    private static void require(Optional<String> complaint) {
        complaint.ifPresent(text -> {
            throw new IllegalStateException(text);
        });
    }
}
