package io.boltshuffle.spark.differential;

import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;

/** Gives one side of a trial its writers. */
interface Writers {

    /** Creates the writer of a map task. */
    ShuffleWriter<Object, Object> writer(
            BaseShuffleHandle<Object, Object, Object> handle, long mapId, TaskContext task);

    /** Returns whether the last writer was one of the plugin, which has to keep more promises than Spark's. */
    boolean areThePlugins();

    static Writers ofSpark(SortShuffleManager stock) {
        return new Writers() {
            @Override
            public ShuffleWriter<Object, Object> writer(
                    BaseShuffleHandle<Object, Object, Object> handle, long mapId, TaskContext task) {
                return stock.getWriter(handle, mapId, task, task.taskMetrics().shuffleWriteMetrics());
            }

            @Override
            public boolean areThePlugins() {
                return false;
            }
        };
    }
}
