package io.boltshuffle.spark.write;

import static io.boltshuffle.spark.write.WriterOutputTest.assertHolds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Product2;

/** Spark kills a task, by an interrupt, as it does when a user cancels a job or another attempt was faster. */
@Tag("slow")
class WriterKillTest {
    private static final int PARTITIONS = 40;
    private static final String GROUP = "killed";

    private final Path directory;

    WriterKillTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /**
     * @param heeded whether the rows end when the task is killed, as those of Spark's operators do; else the interrupt
     *     strikes the next thing that the writer does with its files
     */
    @ParameterizedTest
    @CsvSource({
        "lz4, kryo, false, 100, true",
        "lz4, kryo, false, 100, false",
        "lz4, kryo, false, 10000, true",
        "lz4, kryo, false, 10000, false",
        "zstd, java, true, 10000, false"
    })
    void aTaskThatIsKilledLeavesNothingAndTheNextOneWrites(
            String codec, String serializer, boolean encrypted, int killedAfter, boolean heeded) throws Exception {
        Map<String, String> settings = WriterMemoryTest.little(codec, serializer, encrypted);
        settings.put("spark.task.reaper.enabled", "true");
        settings.put("spark.task.reaper.pollingInterval", "1s");
        settings.put("spark.unsafe.exceptionOnMemoryLeak", "false"); // it would hide what a killed task throws
        try (WriterLab lab = new WriterLab(directory, settings)) {
            ShuffleDependency<Object, Object, Object> shuffle = lab.shuffle(PARTITIONS);
            Rows rows = Rows.noise(2_000, 1_000, 1_000);
            assertHolds(lab, shuffle, lab.write(lab.ours(), shuffle, lab.newMapId(), rows), rows);
            Set<Path> before = lab.files();
            EndlessRows endless = new EndlessRows(killedAfter, heeded);

            CompletableFuture<Void> job = CompletableFuture.runAsync(() -> {
                lab.context().setJobGroup(GROUP, "to be killed", /* interruptOnCancel= */ true);
                lab.write(lab.ours(), shuffle, lab.newMapId(), () -> endless);
            });
            assertThat(endless.reached.await(1, TimeUnit.MINUTES)).isTrue();
            lab.context().cancelJobGroup(GROUP);

            assertThatThrownBy(() -> job.get(1, TimeUnit.MINUTES)).hasMessageContaining("cancelled");
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> SparkEnv.get().memoryManager().executionMemoryUsed() == 0);
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(lab.files()).isEqualTo(before));
            assertHolds(lab, shuffle, lab.write(lab.ours(), shuffle, lab.newMapId(), rows), rows);
        }
    }

    private static final class EndlessRows implements Iterator<Product2<Object, Object>> {
        private final Rows rows = Rows.noise(Integer.MAX_VALUE, 1_000, 1_000);
        private final CountDownLatch reached = new CountDownLatch(1);
        private final int signalAt;
        private final boolean heedsKills;
        private int count;

        EndlessRows(int signalAt, boolean heedsKills) {
            this.signalAt = signalAt;
            this.heedsKills = heedsKills;
        }

        @Override
        public boolean hasNext() {
            if (heedsKills) {
                TaskContext.get().killTaskIfInterrupted();
            }
            return true;
        }

        @Override
        public Product2<Object, Object> next() {
            if (++count == signalAt) {
                reached.countDown();
            }
            return rows.get(count);
        }
    }
}
