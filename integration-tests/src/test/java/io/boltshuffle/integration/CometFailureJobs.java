package io.boltshuffle.integration;

import static io.boltshuffle.integration.FaultyCluster.READER;
import static io.boltshuffle.integration.FaultyCluster.SERVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.os.Signal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Something fails while tasks of Comet fetch, and the answer is right. {@code CometTest} runs it, too. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CometFailureJobs {
    private static final int ROWS = 2_000_000;
    private static final int MOST_QUERIES = 5;

    /** The cable stops by itself after so many frames, of which a query moves several times as many. */
    private static final long FRAMES = 200;

    private static final SqlKind QUERY = SqlKind.REPARTITION;

    private FaultyCluster cluster;
    private SparkSession spark;
    private List<String> expected = List.of();

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        cluster =
                FaultyCluster.sendingFor(directory, conf -> CometJobs.withPlugin(CometJobs.withComet(conf, "native")));
        spark = SparkSession.builder().sparkContext(cluster.context().sc()).getOrCreate();
        Path tables = directory.resolve("tables");
        SqlKind.write(spark, tables, ROWS);
        SqlKind.prepare(spark, tables);
        spark.conf().set("spark.comet.enabled", "false");
        expected = QUERY.answer(spark);
        spark.conf().set("spark.comet.enabled", "true");
    }

    @AfterAll
    void stop() throws IOException {
        if (cluster != null) { // where this was skipped, there is none
            cluster.close();
        }
    }

    @AfterEach
    void everythingComesBack() throws Exception {
        cluster.heal();
    }

    @Test
    void aCableIsPulledInTheMiddleOfAPull() throws Exception {
        inFlight(Stream.of("pull", "silent"), () -> {});
    }

    @Test
    void anAgentIsKilled() throws Exception {
        inFlight(Stream.of("hold", "on"), () -> cluster.agents().signal(READER, Signal.KILL));
    }

    @Test
    void anExecutorIsKilled() throws Exception {
        Map<String, Long> executors = cluster.executors();
        inFlight(Stream.of("hold", "on"), () -> FaultyCluster.kill(executors.getOrDefault(SERVER, 0L)));
    }

    /** Something that happens. */
    private interface Event {
        void happen() throws Exception;
    }

    /** Strikes when the cable has stopped. A query that is over before went by TCP, as on a busy machine. */
    private void inFlight(Stream<String> how, Event event) throws Exception {
        long before = cluster.frames();
        cluster.cable(
                Stream.concat(how, Stream.of("after", Long.toString(FRAMES))).toArray(String[]::new));
        CompletableFuture<List<String>> answer = start();
        for (int queries = 1; !stopsDuring(answer, before) && queries < MOST_QUERIES; queries++) {
            expectRight(answer);
            answer = start();
        }
        assertThat(cluster.frames() - before).isGreaterThanOrEqualTo(FRAMES);
        assertThat(answer).isNotDone();
        event.happen();
        expectRight(answer);
    }

    private boolean stopsDuring(CompletableFuture<?> running, long framesBefore) throws IOException {
        await().atMost(FaultyCluster.PATIENCE)
                .until(() -> running.isDone() || cluster.frames() - framesBefore >= FRAMES);
        return cluster.frames() - framesBefore >= FRAMES;
    }

    private CompletableFuture<List<String>> start() {
        return CompletableFuture.supplyAsync(() -> QUERY.answer(spark));
    }

    private void expectRight(CompletableFuture<List<String>> answer) throws Exception {
        assertThat(answer.get(FaultyCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isEqualTo(expected);
    }
}
