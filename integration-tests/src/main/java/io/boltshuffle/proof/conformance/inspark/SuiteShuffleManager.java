package io.boltshuffle.proof.conformance.inspark;

import io.boltshuffle.spark.BoltShuffleManager;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;

/**
 * The plugin's manager, with the settings of the run if the suite has none, and with a tally, because a suite that
 * never used the manager proves nothing.
 */
public final class SuiteShuffleManager extends BoltShuffleManager {

    /** Spark calls this by reflection. */
    public SuiteShuffleManager(SparkConf conf, boolean isDriver) {
        super(SuiteSettings.addTo(conf), isDriver);
        SuiteTally.managerMade();
    }

    @Override
    public <K, V> ShuffleWriter<K, V> getWriter(
            ShuffleHandle handle, long mapId, TaskContext context, ShuffleWriteMetricsReporter metrics) {
        ShuffleWriter<K, V> writer = super.getWriter(handle, mapId, context, metrics);
        SuiteTally.used(SparkEnv.get().metricsSystem());
        return writer;
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
        ShuffleReader<K, C> reader =
                super.getReader(handle, startMapIndex, endMapIndex, startPartition, endPartition, context, metrics);
        SuiteTally.readerMade(SparkEnv.get().metricsSystem());
        return reader;
    }
}
