package io.boltshuffle.integration.othermanager;

import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleManager;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;

/** Lays its outputs down in Spark's files, or with {@link #ELSEWHERE} in files of its own. */
public final class ColumnarShuffleManager implements ShuffleManager {
    /** A setting that makes this manager keep its outputs where Spark's resolver does not find them. */
    public static final String ELSEWHERE = "spark.columnar.elsewhere";

    private final OutputFiles files;

    /** Spark calls this by reflection. */
    public ColumnarShuffleManager(SparkConf conf, boolean isDriver) {
        files = conf.getBoolean(ELSEWHERE, false) ? new FilesOfItsOwn() : new SparksFiles(conf);
    }

    @Override
    public <K, V, C> ShuffleHandle registerShuffle(int shuffleId, ShuffleDependency<K, V, C> dependency) {
        return new BaseShuffleHandle<>(shuffleId, dependency);
    }

    @Override
    @SuppressWarnings("unchecked") // registerShuffle made it of the dependency's types
    public <K, V> ShuffleWriter<K, V> getWriter(
            ShuffleHandle handle, long mapId, TaskContext context, ShuffleWriteMetricsReporter metrics) {
        ShuffleDependency<K, V, ?> dependency = ((BaseShuffleHandle<K, V, ?>) handle).dependency();
        return new ColumnarShuffleWriter<>(SparkEnv.get(), files, dependency, mapId, metrics);
    }

    @Override
    @SuppressWarnings("unchecked") // as above
    public <K, C> ShuffleReader<K, C> getReader(
            ShuffleHandle handle,
            int startMapIndex,
            int endMapIndex,
            int startPartition,
            int endPartition,
            TaskContext context,
            ShuffleReadMetricsReporter metrics) {
        SparkEnv env = SparkEnv.get();
        return new ColumnarShuffleReader<>(
                env,
                ((BaseShuffleHandle<K, ?, C>) handle).dependency(),
                env.mapOutputTracker()
                        .getMapSizesByExecutorId(
                                handle.shuffleId(), startMapIndex, endMapIndex, startPartition, endPartition),
                context,
                metrics);
    }

    @Override
    public boolean unregisterShuffle(int shuffleId) {
        return true;
    }

    @Override
    public ShuffleBlockResolver shuffleBlockResolver() {
        return files.resolver();
    }

    @Override
    public void stop() {
        files.resolver().stop();
    }
}
