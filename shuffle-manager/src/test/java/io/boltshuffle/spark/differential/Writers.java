package io.boltshuffle.spark.differential;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;

/** Where one side of a trial has its writers from. */
interface Writers {

    /** Creates the writer of a map task. */
    ShuffleWriter<Object, Object> writer(
            BaseShuffleHandle<Object, Object, Object> handle, long mapId, TaskContext task);

    /** Whether the last writer was one of the plugin, which has to keep more promises than Spark's. */
    boolean areThePlugins();

    /**
     * Says what is wrong after a map task besides its files.
     *
     * @param lengths of what it committed; empty if it failed
     */
    List<String> complaints(long mapId, File data, long[] lengths) throws IOException;

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

            @Override
            public List<String> complaints(long mapId, File data, long[] lengths) {
                return List.of();
            }
        };
    }
}
