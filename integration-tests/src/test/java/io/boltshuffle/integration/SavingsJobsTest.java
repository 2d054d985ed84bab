package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.Bolt;
import io.boltshuffle.cli.base.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/**
 * {@code bolt savings} reads from the event log of a job of stock Spark on two hosts the figures that Spark counted.
 */
@Tag("ci")
class SavingsJobsTest {
    /** One above the threshold of the bypass writer. */
    private static final int QUERY_PARTITIONS = 201;

    @Test
    void theFiguresAreSparksOwnAndTheWritersThoseThatItChose(@TempDir Path directory) throws Exception {
        Path eventLogs = Files.createDirectories(directory.resolve("events"));
        Counts counts = new Counts();
        try (TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context = new JavaSparkContext(conf(hosts, eventLogs))) {
            context.sc().addSparkListener(counts);
            var pairs = context.parallelize(IntStream.range(0, 20_000).boxed().toList(), 4)
                    .mapToPair(row -> new Tuple2<>(row % 100, row));
            assertThat(pairs.groupByKey(5).count()).isEqualTo(100);
            assertThat(pairs.reduceByKey(Integer::sum, 6).count()).isEqualTo(100);
            SparkSession session = SparkSession.builder().getOrCreate();
            // By its own numbers, a range is partitioned already, and nothing would be shuffled.
            assertThat(session.range(0, 1_000, 1, 4)
                            .selectExpr("id % 100 AS k")
                            .groupBy("k")
                            .count()
                            .count())
                    .isEqualTo(100);
        }

        JsonNode application = read(eventLogs).path("applications").path(0);

        assertThat(application.path("incomplete")).isEmpty();
        assertThat(application.path("hosts").asInt()).isEqualTo(2);
        assertThat(application.path("cores").asInt()).isEqualTo(2);
        assertThat(sum(application, "tasks")).isEqualTo(counts.tasks.get());
        assertThat(sum(application, "remoteBytes"))
                .isEqualTo(counts.remoteBytes.get())
                .isPositive();
        assertThat(sum(application, "localBytes")).isEqualTo(counts.localBytes.get());
        assertThat(sum(application, "writtenBytes"))
                .isEqualTo(counts.writtenBytes.get())
                .isPositive();
        assertThat(writers(application))
                .containsEntry("bypass 5", 4L * 5)
                .containsEntry("sort 6", 0L)
                .containsEntry("serialized " + QUERY_PARTITIONS, 0L);
    }

    private static SparkConf conf(TwoHosts hosts, Path eventLogs) {
        return hosts.applicationConf("savings")
                .set("spark.shuffle.manager", "sort")
                .set("spark.sql.shuffle.partitions", Integer.toString(QUERY_PARTITIONS))
                .set("spark.eventLog.enabled", "true")
                .set("spark.eventLog.compress", "false")
                .set("spark.eventLog.dir", eventLogs.toUri().toString());
    }

    private static JsonNode read(Path eventLogs) throws Exception {
        StringWriter out = new StringWriter();
        int exit = Bolt.commandLine()
                .setOut(new PrintWriter(out, true))
                .execute("savings", eventLogs.toString(), "--network", "loopback", "--json");
        assertThat(exit).isEqualTo(ExitCode.OK);
        return new ObjectMapper().readTree(out.toString());
    }

    private static long sum(JsonNode application, String figure) {
        long sum = 0;
        for (JsonNode stage : application.path("stages")) {
            sum += stage.path(figure).asLong();
        }
        return sum;
    }

    /** Returns the writers with their partitions, and the temporary files that they made at most. */
    private static Map<String, Long> writers(JsonNode application) {
        Map<String, Long> writers = new LinkedHashMap<>();
        application
                .path("stages")
                .forEach(stage -> writers.merge(
                        stage.path("writer").asText() + " "
                                + stage.path("partitions").asText(),
                        stage.path("temporaryFilesAtMost").asLong(),
                        Long::sum));
        return writers;
    }

    /** Sums that the tasks reported while they ran. */
    private static final class Counts extends SparkListener {
        private final AtomicLong tasks = new AtomicLong();
        private final AtomicLong remoteBytes = new AtomicLong();
        private final AtomicLong localBytes = new AtomicLong();
        private final AtomicLong writtenBytes = new AtomicLong();

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            tasks.incrementAndGet();
            remoteBytes.addAndGet(end.taskMetrics().shuffleReadMetrics().remoteBytesRead());
            localBytes.addAndGet(end.taskMetrics().shuffleReadMetrics().localBytesRead());
            writtenBytes.addAndGet(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
        }
    }
}
