package io.boltshuffle.spark.differential;

import io.boltshuffle.spark.start.SparkSettings;
import io.boltshuffle.spark.write.MapWriters;
import io.boltshuffle.spark.write.StockReason;
import io.boltshuffle.spark.write.WriteMeter;
import io.boltshuffle.spark.write.WriterFixture;
import java.util.Optional;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;

/** Writes as the plugin's manager has it written. */
final class PluginWriters implements Writers {
    private final SortShuffleManager stock;
    private final MapWriters writers;
    private boolean leftToSpark;

    PluginWriters(WriterFixture fixture) {
        this.stock = fixture.stock();
        this.writers = new MapWriters(
                SparkEnv.get(),
                SparkSettings.of(SparkEnv.get().conf()),
                fixture.ours().shuffleBlockResolver(),
                new Meter());
    }

    private final class Meter implements WriteMeter {
        @Override
        public void written(MapOutput figures) {
            // What Spark counts is compared.
        }

        @Override
        public void leftToSpark(StockReason reason) {
            leftToSpark = true;
        }
    }

    @Override
    public ShuffleWriter<Object, Object> writer(
            BaseShuffleHandle<Object, Object, Object> handle, long mapId, TaskContext task) {
        leftToSpark = false;
        Optional<ShuffleWriter<Object, Object>> ours =
                writers.writer(handle, mapId, task, task.taskMetrics().shuffleWriteMetrics());
        return ours.orElseGet(
                () -> stock.getWriter(handle, mapId, task, task.taskMetrics().shuffleWriteMetrics()));
    }

    @Override
    public boolean areThePlugins() {
        return !leftToSpark;
    }
}
