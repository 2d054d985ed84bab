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
        try (WriterFixture fixture = new WriterFixture(directory, settings)) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            Rows rows = Rows.noise(2_000, 1_000, 1_000);
            assertHolds(fixture, shuffle, fixture.write(fixture.ours(), shuffle, fixture.newMapId(), rows), rows);
            Set<Path> before = fixture.files();
            EndlessRows endless = new EndlessRows(killedAfter, heeded);

            CompletableFuture<Void> job = CompletableFuture.runAsync(() -> {
                fixture.context().setJobGroup(GROUP, "to be killed", /* interruptOnCancel= */ true);
                fixture.write(fixture.ours(), shuffle, fixture.newMapId(), () -> endless);
            });
            assertThat(endless.reached.await(1, TimeUnit.MINUTES)).isTrue();
            fixture.context().cancelJobGroup(GROUP);

            assertThatThrownBy(() -> job.get(1, TimeUnit.MINUTES)).hasMessageContaining("cancelled");
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> SparkEnv.get().memoryManager().executionMemoryUsed() == 0);
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(fixture.files()).isEqualTo(before));
            assertHolds(fixture, shuffle, fixture.write(fixture.ours(), shuffle, fixture.newMapId(), rows), rows);
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
