package io.boltshuffle.spark.differential;

import io.boltshuffle.client.LentMemory;
import io.boltshuffle.client.OutputLoan;
import io.boltshuffle.spark.SparkSettings;
import io.boltshuffle.spark.differential.Trial.Lending;
import io.boltshuffle.spark.write.MapOutputFigures;
import io.boltshuffle.spark.write.MapWriters;
import io.boltshuffle.spark.write.StockReason;
import io.boltshuffle.spark.write.UnpublishedReason;
import io.boltshuffle.spark.write.WriteMeter;
import io.boltshuffle.spark.write.WriterLab;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;

/** Writes as the plugin's manager has it written, and looks after the memory that it borrows. */
final class PluginWriters implements Writers {
    private final Trial trial;
    private final SortShuffleManager stock;
    private final MapWriters writers;
    private final List<LentMemory> loans = new ArrayList<>();
    private boolean leftToSpark;

    PluginWriters(WriterLab lab, Trial trial) {
        this.trial = trial;
        this.stock = lab.stock();
        this.writers = new MapWriters(
                SparkEnv.get(),
                SparkSettings.of(SparkEnv.get().conf()),
                lab.ours().shuffleBlockResolver(),
                new Meter(),
                this::lend);
    }

    private final class Meter implements WriteMeter {
        @Override
        public void written(MapOutputFigures figures) {
            // What Spark counts is compared.
        }

        @Override
        public void published(long bytes) {
            // The loans tell.
        }

        @Override
        public void unpublished(UnpublishedReason reason) {
            // The loans tell.
        }

        @Override
        public void leftToSpark(StockReason reason) {
            leftToSpark = true;
        }
    }

    private OutputLoan lend(int shuffleId, long bytes) {
        trial.fault().beforeOutput(TaskContext.get());
        if (trial.lending() == Lending.NOTHING) {
            return new OutputLoan.Refused(OutputLoan.Why.OFF);
        }
        int granted = Math.toIntExact(trial.lending() == Lending.HALF ? bytes / 2 : bytes);
        LentMemory memory = new LentMemory(granted, trial.lending() == Lending.ENOUGH_AND_SUMMED);
        loans.add(memory);
        return new OutputLoan.Granted(memory.memory());
    }

    @Override
    public ShuffleWriter<Object, Object> writer(
            BaseShuffleHandle<Object, Object, Object> handle, long mapId, TaskContext task) {
        loans.clear();
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

    @Override
    public List<String> complaints(long mapId, File data, long[] lengths) throws IOException {
        List<String> complaints = new ArrayList<>();
        for (LentMemory loan : loans) {
            if (loan.returns() != 1) {
                complaints.add("lent memory went back " + loan.returns() + " times");
            }
            if (loan.publishedMap() < 0) {
                continue;
            }
            boolean isTheOutput = loan.publishedMap() == mapId
                    && loan.lengths().equals(Arrays.stream(lengths).boxed().toList())
                    && Arrays.equals(loan.content(), Files.readAllBytes(data.toPath()));
            if (!isTheOutput) {
                complaints.add("what was published is not what was committed");
            }
        }
        return complaints;
    }
}
