package io.boltshuffle.spark;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.fetch.FetchSide;
import io.boltshuffle.spark.read.BoltShuffleReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.spark.MapOutputTracker;
import org.apache.spark.MapSizesByExecutorId;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
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
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Makes the plugin's readers and writers, on a Spark that the plugin was made for.
 *
 * <p><b>Threads:</b> safe from any.
 */
final class RdmaShuffles implements AutoCloseable {
    private final Settings settings;
    private final IndexShuffleBlockResolver resolver;
    private final Map<Integer, Set<Long>> ownMapIds = new ConcurrentHashMap<>(); // of a shuffle, what our writers wrote
    private @Nullable FetchSide ownFetches; // guarded by this
    private @Nullable ShuffleRuntime runtime; // guarded by this

    /** @param resolver the shuffle manager's */
    RdmaShuffles(Settings settings, IndexShuffleBlockResolver resolver) {
        this.settings = settings;
        this.resolver = resolver;
    }

    /** Returns the plugin's writer for a map task; empty if Spark's own has to write. */
    @SuppressWarnings("unchecked") // every handle of the sort shuffle is a BaseShuffleHandle of its dependency's types
    <K, V> Optional<ShuffleWriter<K, V>> writer(
            ShuffleHandle handle, long mapId, TaskContext context, ShuffleWriteMetricsReporter metrics) {
        runtime().onWrite(); // an executor which only writes has its metrics by that, too
        Optional<ShuffleWriter<K, V>> ours =
                runtime().writers().writer((BaseShuffleHandle<K, V, ?>) handle, mapId, context, metrics);
        ours.ifPresent(writer -> ownMapIds
                .computeIfAbsent(handle.shuffleId(), shuffle -> ConcurrentHashMap.newKeySet())
                .add(mapId));
        return ours;
    }

    /**
     * Deletes the output of the plugin's writers. Spark tracks, and deletes, only what its own writers have written.
     */
    void unregistered(int shuffleId) {
        Set<Long> mapIds = ownMapIds.remove(shuffleId);
        if (mapIds != null) {
            mapIds.forEach(mapId -> resolver.removeDataByMap(shuffleId, mapId));
        }
    }

    @SuppressWarnings("unchecked") // every handle of the sort shuffle is a BaseShuffleHandle of its dependency's types
    <K, C> ShuffleReader<K, C> reader(
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
        boolean batch =
                blocks.enableBatchFetch() && SortShuffleManager.canUseBatchFetch(startPartition, endPartition, context);
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

    /** Returns the client that this process's readers fetch with. */
    BlockStoreClient client() {
        return runtime().client();
    }

    @Override
    public synchronized void close() {
        if (ownFetches != null) {
            ownFetches.close();
        }
    }

    private synchronized ShuffleRuntime runtime() {
        if (runtime == null) {
            runtime = new ShuffleRuntime(SparkEnv.get(), settings, fetches(), resolver);
        }
        return runtime;
    }

    /** Returns what the plugin has installed, if it took the manager for another's, or makes what no one else uses. */
    private synchronized FetchSide fetches() {
        Optional<FetchSide> installed = FetchSide.installedIn(SparkEnv.get().blockManager());
        if (installed.isPresent()) {
            return installed.get();
        }
        if (ownFetches == null) {
            ownFetches = new FetchSide(SparkEnv.get(), settings);
        }
        return ownFetches;
    }
}
