package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.integration.CountingJob.Interruption;
import io.boltshuffle.integration.CountingJob.Moment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Features of Spark around executors, tasks and map outputs: each with Spark's shuffle, with that and the plugin alone,
 * and with ours, the last two over RDMA, with the same answers and as many stages again.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SparkFeaturesTest {
    private static final int MOST_READINGS = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CACHED_BYTES = 1 << 20;

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

    @Tag("ladder")
    @ParameterizedTest
    @EnumSource
    void executorsThatAreIdleGoWithTheirOutputsAndOthersTakeTheirPlace(ShuffleKind shuffle) throws Exception {
        SparkConf conf = withIdleExecutorsRemoved(conf(shuffle, "shuffle-tracking"))
                .set("spark.dynamicAllocation.shuffleTracking.enabled", "true")
                .set("spark.dynamicAllocation.shuffleTracking.timeout", "3s");
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
            CountingJob job = new CountingJob(context, 6_000, 4);
            JavaPairRDD<Integer, Integer> counts = job.counts(Moment.FIRST_ROW, Interruption.NONE);
            expect(shuffle, counts, job);
            long maps = reads.mapTasks();

            awaitExecutors(context, 0);

            assertThat(counts.collectAsMap()).isEqualTo(job.expected());
            assertThat(reads.mapTasks()).isEqualTo(2 * maps);
            awaitExecutors(context, 0);
        }
    }

    @Tag("ci")
    @Test
    void executorsThatAreIdleLeaveTheirOutputsToTheShuffleService() throws Exception {
        leaveOutputsToTheShuffleService(ShuffleKind.OURS);
    }

    @Tag("ci")
    @Test
    void executorsThatAreIdleLeaveTheirOutputsToTheShuffleServiceWithThePluginAlone() throws Exception {
        leaveOutputsToTheShuffleService(ShuffleKind.PLUGIN_ALONE);
    }

    @Tag("ladder")
    @Test
    void executorsThatAreIdleLeaveTheirOutputsToTheShuffleServiceInStockSpark() throws Exception {
        leaveOutputsToTheShuffleService(ShuffleKind.STOCK);
    }

    private void leaveOutputsToTheShuffleService(ShuffleKind shuffle) throws Exception {
        try (ShuffleServices services = ShuffleServices.start()) {
            leaveOutputsTo(services, shuffle);
        }
    }

    private void leaveOutputsTo(ShuffleServices services, ShuffleKind shuffle) throws Exception {
        SparkConf conf = withIdleExecutorsRemoved(services.usedBy(conf(shuffle, "allocation-with-service")));
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
            CountingJob job = new CountingJob(context, 6_000, 4);
            JavaPairRDD<Integer, Integer> counts = job.counts(Moment.FIRST_ROW, Interruption.NONE);
            expect(shuffle, counts, job);
            long maps = reads.mapTasks();

            awaitExecutors(context, 0);

            expect(shuffle, counts, job);
            assertThat(reads.mapTasks()).isEqualTo(maps);
            assertThat(reads.retriedStages()).isEmpty();
        }
    }

    /** The services are older than the application's Spark, as on some clusters. */
    @Tag("ladder")
    @ParameterizedTest
    @EnumSource
    void executorsThatAreIdleLeaveTheirOutputsToAnOlderShuffleService(ShuffleKind shuffle) throws Exception {
        try (ShuffleServices services = ShuffleServices.startOlder()) {
            leaveOutputsTo(services, shuffle);
        }
    }

    /** The only executor has no other to move its blocks to. */
    @Tag("ladder")
    @ParameterizedTest
    @EnumSource
    void blocksOfTheLastExecutorMoveToTheFallbackStorage(ShuffleKind shuffle, @TempDir Path storage) throws Exception {
        SparkConf conf = withDecommissioning(conf(shuffle, "fallback-storage"))
                .set("spark.cores.max", "1")
                .set(
                        "spark.storage.decommission.fallbackStorage.path",
                        storage.toUri().toString());
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
            CountingJob job = new CountingJob(context, 6_000, 4);
            JavaPairRDD<Integer, Integer> counts = job.counts(Moment.FIRST_ROW, Interruption.NONE);
            assertThat(counts.collectAsMap()).isEqualTo(job.expected());
            long maps = reads.mapTasks();
            String leaving = MapOutputs.executors().iterator().next();

            decommission(context, leaving);

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(MapOutputs.executors()).containsExactly("fallback"));
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(executors(context)).hasSize(1).doesNotContain(leaving));
            assertThat(counts.collectAsMap()).isEqualTo(job.expected());
            assertThat(reads.mapTasks()).isEqualTo(maps);
            assertThat(reads.retriedStages()).isEmpty();
        }
    }

    /**
     * Cached blocks move as well. Spark starts another executor in the place of the one that leaves, and that one
     * reads.
     */
    @Tag("ladder")
    @ParameterizedTest
    @EnumSource
    void blocksOfAnExecutorThatLeavesMoveToTheOtherAndAreReadThere(ShuffleKind shuffle) throws Exception {
        SparkConf conf = withDecommissioning(conf(shuffle, "migration")).set("spark.locality.wait", "0s");
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
            CountingJob job = new CountingJob(context, 6_000, 4);
            JavaPairRDD<Integer, Integer> counts = job.counts(Moment.FIRST_ROW, Interruption.NONE);
            expect(shuffle, counts, job);
            LongAccumulator computed = context.sc().longAccumulator();
            JavaRDD<byte[]> cached = context.parallelize(List.of(1, 2, 3, 4, 5, 6, 7, 8), 8)
                    .map(number -> {
                        computed.add(1);
                        return new byte[CACHED_BYTES];
                    })
                    .cache();
            assertThat(cached.count()).isEqualTo(8);
            long maps = reads.mapTasks();
            String leaving = MapOutputs.executors().iterator().next();

            decommission(context, leaving);

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(MapOutputs.executors()).hasSize(1));
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(executors(context)).hasSize(2).doesNotContain(leaving));
            RemoteReads fromTheOther = new RemoteReads(agents, reads);
            Runnable readAll = () -> assertThat(counts.collectAsMap()).isEqualTo(job.expected());
            if (shuffle.goesByRdma()) {
                fromTheOther.awaitAllByRdma(readAll);
            } else {
                fromTheOther.awaitAllByTcp(readAll);
            }
            expectCachedFromTheOther(shuffle, cached);
            assertThat(computed.value()).isEqualTo(8);
            assertThat(reads.mapTasks()).isEqualTo(maps);
            assertThat(reads.retriedStages()).isEmpty();
        }
    }

    /** Such blocks pass no client, whoever stands in Spark's place. */
    @Tag("ci")
    @ParameterizedTest
    @EnumSource
    void executorsOfOneHostReadEachOthersOutputsFromDisk(ShuffleKind shuffle, @TempDir Path directory)
            throws Exception {
        String host = TwoHosts.HOSTS.get(0);
        try (TwoHosts oneHost = TwoHosts.start(directory, List.of(host, host))) {
            SparkConf conf = shuffle.applyTo(agents.applyTo(oneHost.applicationConf("host-local")));
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
                CountingJob job = new CountingJob(context, 6_000, 4);
                long before = agents.servedBytes();

                assertThat(job.run()).isEqualTo(job.expected());

                assertThat(MapOutputs.executors()).hasSize(2);
                assertThat(reads.remoteBlocks()).isZero();
                assertThat(agents.servedBytes()).isEqualTo(before);
            }
        }
    }

    /** Merged blocks go by TCP; the agents are there, and serve what was not merged. */
    @Tag("ladder")
    @ParameterizedTest
    @EnumSource
    void blocksThatArePushedAreMergedAndReadMergedBesideAgents(ShuffleKind shuffle) throws Exception {
        try (ShuffleServices services = ShuffleServices.startMerging()) {
            SparkConf conf = services.pushedToBy(conf(shuffle, "push-merge"));
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                services.mergeFor(context.sc());
                ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
                CountingJob job = new CountingJob(context, 6_000, 4);

                assertThat(job.run()).isEqualTo(job.expected());

                assertThat(reads.mergedBlocks()).isPositive();
                assertThat(reads.retriedStages()).isEmpty();
            }
        }
    }

    /** The slower attempt waits with blocks in its hands until Spark kills it. */
    @Tag("ladder")
    @ParameterizedTest
    @EnumSource
    void aSlowTaskThatReadsIsOvertakenAndKilled(ShuffleKind shuffle, @TempDir Path meeting) throws Exception {
        SparkConf conf = conf(shuffle, "speculation")
                .set("spark.speculation", "true")
                .set("spark.speculation.interval", "100ms")
                .set("spark.speculation.minTaskRuntime", "100ms")
                .set("spark.speculation.multiplier", "1.1")
                .set("spark.speculation.quantile", "0.5")
                .set("spark.task.reaper.enabled", "true");
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
            CountingJob job = new CountingJob(context, 20_000, 4);
            Interruption waiting = new Rendezvous(meeting).inTask();
            long before = agents.servedBytes();
            CompletableFuture<Map<Integer, Integer>> counts =
                    CompletableFuture.supplyAsync(() -> job.run(Moment.FIRST_ROW, waiting));

            assertThat(counts.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(job.expected());

            assertThat(reads.speculativeTasks()).isPositive();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(reads.killedTasks()).isPositive());
            assertThat(reads.retriedStages()).isEmpty();
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

    private SparkConf conf(ShuffleKind shuffle, String name) {
        return shuffle.applyTo(agents.applyTo(hosts.applicationConf(name)));
    }

    private static SparkConf withIdleExecutorsRemoved(SparkConf conf) {
        return conf.set("spark.dynamicAllocation.enabled", "true")
                .set("spark.dynamicAllocation.minExecutors", "0")
                .set("spark.dynamicAllocation.initialExecutors", "2")
                .set("spark.dynamicAllocation.maxExecutors", "2")
                .set("spark.dynamicAllocation.executorIdleTimeout", "2s")
                .set("spark.executor.cores", "1");
    }

    private static SparkConf withDecommissioning(SparkConf conf) {
        return conf.set("spark.decommission.enabled", "true")
                .set("spark.storage.decommission.enabled", "true")
                .set("spark.storage.decommission.shuffleBlocks.enabled", "true")
                .set("spark.storage.decommission.rddBlocks.enabled", "true")
                .set("spark.storage.decommission.replicationReattemptInterval", "1s");
    }

    private static void decommission(JavaSparkContext context, String executor) {
        ((ExecutorAllocationClient) context.sc().schedulerBackend())
                .decommissionExecutor(
                        executor,
                        new ExecutorDecommissionInfo("to be tried", Option.empty()),
                        /* adjustTargetNumExecutors= */ false,
                        /* triggeredByExecutor= */ false);
    }

    /** Repeats a job until a task of it reads by RDMA what is cached on the other host. */
    private void expectCachedFromTheOther(ShuffleKind shuffle, JavaRDD<byte[]> cached) {
        await().atMost(PATIENCE).until(() -> {
            long before = agents.servedBytes();
            assertThat(cached.map(bytes -> bytes.length).collect()).hasSize(8).containsOnly(CACHED_BYTES);
            return !shuffle.goesByRdma() || agents.servedBytes() - before >= CACHED_BYTES;
        });
    }

    /**
     * Expects the right answer, and that blocks of it go by RDMA if it is our shuffle. On a busy machine all blocks of
     * one reading may go by TCP, for want of a processor that moves them in time: they are read again then.
     */
    private void expect(ShuffleKind shuffle, JavaPairRDD<Integer, Integer> counts, CountingJob job) {
        long before = agents.servedBytes();
        int readings = 0;
        do {
            assertThat(counts.collectAsMap()).isEqualTo(job.expected());
            readings++;
        } while (shuffle.goesByRdma() && agents.servedBytes() == before && readings < MOST_READINGS);
        assertThat(agents.servedBytes() > before).isEqualTo(shuffle.goesByRdma());
    }

    private static Set<String> executors(JavaSparkContext context) {
        return Set.copyOf(CollectionConverters.asJava(context.sc().getExecutorIds()));
    }

    private static void awaitExecutors(JavaSparkContext context, int number) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(executors(context)).hasSize(number));
    }
}
