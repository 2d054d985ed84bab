package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.cli.cluster.CableKind;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import scala.Function1;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Stages that Spark runs again as a whole: each with Spark's shuffle and with ours over RDMA, with the same answers and
 * as many tasks again.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class StageKindsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long POLL_MILLIS = 20;

    private AgentPair agents;
    private TwoHosts hosts;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        agents = new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND).startBoth();
        hosts = TwoHosts.start(directory);
    }

    @AfterAll
    void stop() {
        if (hosts != null) { // where this was skipped, there are none
            hosts.close();
            agents.close();
        }
    }

    @Tag("ci")
    @Test
    void tasksOfABarrierStageMeetWithBlocksInTheirHandsAndRunAgainTogether() throws Exception {
        meetAtABarrier(ShuffleKind.OURS);
    }

    @Tag("ladder")
    @Test
    void tasksOfABarrierStageMeetAndRunAgainTogetherInStockSpark() throws Exception {
        meetAtABarrier(ShuffleKind.STOCK);
    }

    private void meetAtABarrier(ShuffleKind shuffle) throws Exception {
        try (JavaSparkContext context = context(shuffle, "barrier")) {
            CountingJob job = new CountingJob(context, 6_000, 2);
            awaitRdma(shuffle, job);
            ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
            long before = agents.servedBytes();

            assertThat(inBarrierStage(job)
                            .mapPartitionsToPair(rows -> {
                                failOnceWhenAllMet(rows);
                                return CountingJob.countsOf(rows);
                            })
                            .reduceByKey(Integer::sum, 3)
                            .collectAsMap())
                    .isEqualTo(job.expected());

            assertThat(reads.retriedStages()).hasSize(1);
            assertThat(reads.tasksOfStages()).endsWith(2, 2, 3);
            expectRdma(shuffle, before);
        }
    }

    /** Tells the other task where this one runs, which has blocks before it; then one of the two fails. */
    private static void failOnceWhenAllMet(Iterator<?> rows) {
        assertThat(rows.hasNext()).isTrue();
        BarrierTaskContext task = BarrierTaskContext.get();
        String own = SparkEnv.get().blockManager().blockManagerId().host();
        assertThat(task.allGather(own)).containsExactlyInAnyOrderElementsOf(TwoHosts.HOSTS);
        if (task.stageAttemptNumber() == 0 && task.partitionId() == 0) {
            throw new IllegalStateException("one fails, so that all run again");
        }
        task.barrier();
    }

    /** Returns the rows as tasks read them that all start at once. */
    private static JavaRDD<Tuple2<Integer, byte[]>> inBarrierStage(CountingJob job) {
        ClassTag<Tuple2<Integer, byte[]>> type = ClassTag$.MODULE$.apply(Tuple2.class);
        return JavaRDD.fromRDD(
                job.shuffled()
                        .rdd()
                        .barrier()
                        .mapPartitions(new AsTheyCome<>(), /* preservesPartitioning= */ false, type),
                type);
    }

    /** Returns the rows of a partition as they come, as a function of Scala for a barrier stage. */
    private static final class AsTheyCome<T>
            implements Function1<scala.collection.Iterator<T>, scala.collection.Iterator<T>>, Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public scala.collection.Iterator<T> apply(scala.collection.Iterator<T> rows) {
            return rows;
        }
    }

    @Tag("ci")
    @Test
    void aStageWithOtherOutputEachTimeRunsAgainAsAWholeWhenOneBlockIsLost() throws Exception {
        loseABlockOfARandomStage(ShuffleKind.OURS);
    }

    @Tag("ladder")
    @Test
    void aStageWithOtherOutputEachTimeRunsAgainAsAWholeInStockSpark() throws Exception {
        loseABlockOfARandomStage(ShuffleKind.STOCK);
    }

    /**
     * Rows of eight tasks go to twelve others in an order that is another one in each attempt. When the first two of
     * the twelve have read theirs, an output is gone: if only its task ran again, rows would come twice or never.
     */
    private void loseABlockOfARandomStage(ShuffleKind shuffle) throws Exception {
        try (JavaSparkContext context = context(shuffle, "random")) {
            CountingJob job = new CountingJob(context, 6_000, 8);
            awaitRdma(shuffle, job);
            JavaRDD<Tuple2<Integer, byte[]>> scattered =
                    job.shuffled().mapPartitions(StageKindsTest::inRandomOrder).repartition(12);
            assertThat(scattered.count()).isEqualTo(6_000);
            ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
            long before = agents.servedBytes();
            String lost = MapOutputs.newestFile(hosts.localDirectory()).toString();

            assertThat(scattered
                            .mapPartitionsToPair(rows -> {
                                Iterator<Tuple2<Integer, Integer>> counts = CountingJob.countsOf(rows);
                                removeAfterTheFirstTwo(Path.of(lost));
                                return counts;
                            })
                            .reduceByKey(Integer::sum, 3)
                            .collectAsMap())
                    .isEqualTo(job.expected());

            assertThat(reads.retriedStages()).isNotEmpty();
            // All of the eight, and all of the twelve a second time.
            assertThat(reads.tasksOfStages()).contains(8);
            assertThat(reads.tasksOfStages().stream()
                            .filter(tasks -> tasks == 12)
                            .count())
                    .isGreaterThanOrEqualTo(2);
            expectRdma(shuffle, before);
        }
    }

    private static <T> Iterator<T> inRandomOrder(Iterator<T> rows) {
        List<T> all = new ArrayList<>();
        rows.forEachRemaining(all::add);
        Collections.shuffle(all);
        return all.iterator();
    }

    /** The first task waits for the second, which removes the file: all others begin after that. */
    private static void removeAfterTheFirstTwo(Path file) throws IOException, InterruptedException {
        TaskContext task = TaskContext.get();
        if (task.stageAttemptNumber() == 0 && task.partitionId() == 1) {
            Files.deleteIfExists(file);
        }
        for (long millis = 0;
                task.partitionId() == 0 && Files.exists(file) && millis < PATIENCE.toMillis();
                millis += POLL_MILLIS) {
            Thread.sleep(POLL_MILLIS);
        }
    }

    private JavaSparkContext context(ShuffleKind shuffle, String name) {
        return new JavaSparkContext(shuffle.applyTo(agents.applyTo(hosts.applicationConf(name))));
    }

    private void awaitRdma(ShuffleKind shuffle, CountingJob job) {
        if (shuffle.goesByRdma()) {
            job.awaitRdma(agents);
        }
    }

    /** Expects that blocks went by RDMA if it is our shuffle, and that agents have their memory back. */
    private void expectRdma(ShuffleKind shuffle, long before) {
        assertThat(agents.servedBytes() > before).isEqualTo(shuffle.goesByRdma());
        for (String host : TwoHosts.HOSTS) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(agents.status(host)
                                    .at("/memory/pinnedBytes")
                                    .asLong(-1))
                            .isZero());
        }
    }
}
