package io.boltshuffle.proof.bench.inspark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small jobs in one process: every row that goes into a shuffle is in the answer, which is always the same. */
@Tag("ci")
class ShuffleJobRunnerTest {
    private static final long BYTES = 64 << 10;

    @SuppressWarnings("NullAway.Init") // before the first test
    private static SparkSession session;

    @BeforeAll
    static void start(@TempDir Path warehouse) {
        session = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.warehouse.dir", warehouse.toString())
                .config("spark.sql.shuffle.partitions", "4")
                .config("spark.sql.autoBroadcastJoinThreshold", "-1")
                .getOrCreate();
    }

    @AfterAll
    static void stop() {
        session.stop();
    }

    @Test
    void wideShufflesRowsOfAKilobyte() {
        assertRows(ShuffleJob.WIDE, 64);
    }

    @Test
    void eachRowOfOneTableMeetsOneOfTheOther() {
        assertRows(ShuffleJob.JOIN, 2048);
    }

    @Test
    void everyRowIsCountedInItsGroup() {
        assertRows(ShuffleJob.GROUP_BY, 4096);
    }

    @Test
    void narrowShufflesPairsOfLongs() {
        assertRows(ShuffleJob.NARROW, 4096);
    }

    private static void assertRows(ShuffleJob job, long rows) {
        String answer = new ShuffleJobRunner(session, BYTES).run(job);

        assertThat(answer).matches(rows + " rows, [0-9a-f]+").doesNotEndWith(", 0");
        assertThat(new ShuffleJobRunner(session, BYTES).run(job)).isEqualTo(answer);
    }
}
