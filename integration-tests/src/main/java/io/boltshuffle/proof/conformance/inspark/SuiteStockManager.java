package io.boltshuffle.proof.conformance.inspark;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;

/** Spark's own manager, whose shuffles the plugin carries alone, with the settings and the tally of the run. */
public final class SuiteStockManager extends SortShuffleManager {

    /** Spark calls this by reflection. */
    public SuiteStockManager(SparkConf conf) {
        super(SuiteSettings.addTo(conf));
        SuiteTally.managerMade();
    }

    @Override
    public <K, V> ShuffleWriter<K, V> getWriter(
            ShuffleHandle handle, long mapId, TaskContext context, ShuffleWriteMetricsReporter metrics) {
        SuiteTally.used(SparkEnv.get().metricsSystem());
        return super.getWriter(handle, mapId, context, metrics);
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
        SuiteTally.readerMade(SparkEnv.get().metricsSystem());
        return super.getReader(handle, startMapIndex, endMapIndex, startPartition, endPartition, context, metrics);
    }
}
