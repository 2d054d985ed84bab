package io.boltshuffle.integration;

import static io.boltshuffle.integration.PlacedTasks.content;
import static io.boltshuffle.integration.PlacedTasks.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.integration.demo.TabPages;
import io.boltshuffle.os.Signal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.StorageLevels;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.metrics.source.Source;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * Broadcasts, cached partitions and results over virtual cables. The driver is on the serving host, so that its blocks
 * have a cable, too.
 */
@Tag("slow")
class LiveBlocksJobsTest {

    private static final int MIB = 1 << 20;
    private static final int PARTITIONS = 3;
    private static final int PARTITION_BYTES = 3 * MIB;
    private static final Duration SOON = Duration.ofSeconds(90);

    @Test
    void blocksInMemoryGoByRdma(@TempDir Path directory) throws Exception {
        everyKindGoesByRdma(CableKind.SEND, directory);
    }

    @Tag("ci")
    @Test
    void blocksInMemoryGoByRdmaWherePeersRead(@TempDir Path directory) throws Exception {
        everyKindGoesByRdma(CableKind.READ, directory);
    }

    private static void everyKindGoesByRdma(CableKind kind, Path directory) throws Exception {
        Path eventLogs = Files.createDirectories(directory.resolve("events"));
        String application;
        try (AgentPair agents = agents(directory, kind).startBoth();
                TwoHosts hosts = TwoHosts.start(directory, TwoHosts.HOSTS, AgentPair.SERVER);
                JavaSparkContext context =
                        new JavaSparkContext(TabPages.configure(conf(hosts, agents, "all"), eventLogs))) {
            application = context.sc().applicationId();
            await().atMost(SOON).until(() -> readBroadcast(context) > 0);
            JavaRDD<byte[]> cached = cache(context);
            await().atMost(SOON).until(() -> readCached(context, cached) > PARTITIONS * PARTITION_BYTES);
            await().atMost(SOON).until(() -> collectResult(context) > 4 * MIB);

            assertThat(fetchOfWhatIsGone(context)).contains("rdd_77_0");
            assertThat(counted(context, "fallbacks.block_not_found")).isEqualTo(1);
            assertThat(readCached(context, cached)).as("bytes by RDMA").isGreaterThan(PARTITIONS * PARTITION_BYTES);

            killExecutor(context, AgentPair.SERVER);
            assertThat(cached.map(bytes -> sum(bytes)).collect())
                    .containsOnly(sum(content(PARTITION_BYTES)))
                    .hasSize(PARTITIONS);
            for (String host : TwoHosts.HOSTS) {
                await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                    assertThat(memory(agents, host, "pinnedBytes")).isZero();
                    assertThat(memory(agents, host, "quarantinedBytes")).isZero();
                });
            }
        }
        String tab = TabPages.afterwards(eventLogs, application);
        assertThat(List.of("broadcast", "cached", "result"))
                .allSatisfy(name ->
                        assertThat(tab).containsPattern("<tr><td>" + name + "</td><td>[1-9][0-9.]* %</td><td>[1-9]"));
    }

    /** Encrypted in the disk store, and read as the owner would send it. */
    @Tag("ci")
    @Test
    void blocksOfTheDiskStoreAreDecrypted(@TempDir Path directory) throws Exception {
        try (AgentPair agents = agents(directory, CableKind.SEND).startBoth();
                TwoHosts hosts = TwoHosts.start(directory, TwoHosts.HOSTS, AgentPair.SERVER);
                JavaSparkContext context =
                        new JavaSparkContext(conf(hosts, agents, "all").set("spark.io.encryption.enabled", "true"))) {
            await().atMost(SOON).until(() -> readBroadcast(context) > 0);
            JavaRDD<byte[]> cached = PlacedTasks.on(context, AgentPair.SERVER, PARTITIONS)
                    .map(partition -> content(PARTITION_BYTES))
                    .persist(StorageLevels.DISK_ONLY);
            cached.count();

            await().atMost(SOON).until(() -> readCached(context, cached) > PARTITIONS * PARTITION_BYTES);
        }
    }

    private static long uploadedBytes(JavaSparkContext context) {
        return PlacedTasks.on(context, AgentPair.SERVER, 1)
                .map(task -> count("uploads.bytes"))
                .first();
    }

    /** Spark has checksums of serialized partitions from 4.3 on; older lines do not know these settings. */
    @Tag("ci")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cachedPartitionsAreReplicatedAndLeaveWithTheirExecutor(boolean checksums, @TempDir Path directory)
            throws Exception {
        try (AgentPair agents = agents(directory, CableKind.SEND).startBoth();
                TwoHosts hosts = TwoHosts.start(directory, TwoHosts.HOSTS, AgentPair.SERVER);
                JavaSparkContext context = new JavaSparkContext(conf(hosts, agents, "all")
                        .set("spark.storage.rddBlockChecksum.enabled", Boolean.toString(checksums))
                        .set("spark.storage.rddBlockChecksum.verifyOnReplication", Boolean.toString(checksums))
                        .set("spark.decommission.enabled", "true")
                        .set("spark.storage.decommission.enabled", "true")
                        .set("spark.storage.decommission.rddBlocks.enabled", "true")
                        .set("spark.storage.decommission.replicationReattemptInterval", "1s"))) {
            // No copy waits until the two hosts have met.
            await().atMost(SOON).until(() -> {
                PlacedTasks.on(context, AgentPair.SERVER, 1)
                        .map(partition -> content(PARTITION_BYTES))
                        .persist(StorageLevels.MEMORY_AND_DISK_SER_2)
                        .count();
                return uploadedBytes(context) > 0;
            });
            long before = uploadedBytes(context);
            LongAccumulator computed = context.sc().longAccumulator();
            JavaRDD<byte[]> twice = cache(context, computed, StorageLevels.MEMORY_AND_DISK_SER_2);
            await().atMost(SOON).until(() -> places(twice).stream().allMatch(place -> place.size() == 2));
            JavaRDD<byte[]> once = cache(context, computed, StorageLevels.MEMORY_ONLY_SER);
            String leaving = places(once).get(0).iterator().next();
            assertThat(places(once)).containsOnly(Set.of(leaving)).hasSize(PARTITIONS);
            assertThat(uploadedBytes(context) - before).isGreaterThan(PARTITIONS * PARTITION_BYTES);

            ((ExecutorAllocationClient) context.sc().schedulerBackend())
                    .decommissionExecutor(
                            leaving, new ExecutorDecommissionInfo("to be tried", Option.empty()), false, false);

            await().atMost(SOON)
                    .until(() -> places(once).stream().allMatch(place -> !place.isEmpty() && !place.contains(leaving)));
            for (JavaRDD<byte[]> cached : List.of(twice, once)) {
                assertThat(cached.map(bytes -> sum(bytes)).collect())
                        .containsOnly(sum(content(PARTITION_BYTES)))
                        .hasSize(PARTITIONS);
            }
            assertThat(computed.value()).isEqualTo(2 * PARTITIONS);
        }
    }

    /** Returns for each partition the executors that have it. */
    private static List<Set<String>> places(JavaRDD<byte[]> cached) {
        return IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> CollectionConverters.asJava(SparkEnv.get()
                                .blockManager()
                                .master()
                                .getLocations(new RDDBlockId(cached.id(), partition)))
                        .stream()
                        .map(BlockManagerId::executorId)
                        .collect(Collectors.toSet()))
                .toList();
    }

    @Tag("ci")
    @Test
    void withoutTheOptionNothingOfItIsLoaded(@TempDir Path directory) throws Exception {
        try (AgentPair agents = agents(directory, CableKind.SEND).startBoth();
                TwoHosts hosts = TwoHosts.start(directory, TwoHosts.HOSTS, AgentPair.SERVER);
                JavaSparkContext context =
                        new JavaSparkContext(logClasses(conf(hosts, agents, "shuffle"), directory))) {
            readBroadcast(context);
            readCached(context, cache(context));
            assertThat(service(context)).isEqualTo("org.apache.spark.network.netty.NettyBlockTransferService");
        }
        assertThat(classesOfExecutors(directory))
                .hasSize(2)
                .allSatisfy(log -> assertThat(log)
                        .content()
                        .contains("io.boltshuffle.spark.ReportSender")
                        .doesNotContain("io.boltshuffle.spark.block", "fetch.LiveRoute", "client.LayOut"));
    }

    /** It has tasks, small broadcasts and small cached partitions, but nothing that RDMA would bring sooner. */
    @Tag("ci")
    @Test
    void anExecutorOfASmallApplicationHasNoSessionWithItsAgent(@TempDir Path directory) throws Exception {
        try (AgentPair agents = agents(directory, CableKind.SEND).startBoth();
                TwoHosts hosts = TwoHosts.start(directory, TwoHosts.HOSTS, AgentPair.SERVER);
                JavaSparkContext context = new JavaSparkContext(logClasses(conf(hosts, agents, "all"), directory))) {
            Broadcast<byte[]> small = context.broadcast(content(50_000));
            JavaRDD<Long> sums = PlacedTasks.on(context, AgentPair.SERVER, PARTITIONS)
                    .map(partition -> sum(small.value()))
                    .cache();
            for (int job = 0; job < 3; job++) {
                assertThat(sums.collect()).hasSize(PARTITIONS).containsOnly(sum(content(50_000)));
                assertThat(onReader(context, () -> sum(small.value()))).isEqualTo(sum(content(50_000)));
                TimeUnit.SECONDS.sleep(1); // executors report meanwhile, and look for what they hold
            }
            assertThat(service(context)).contains("BoltBlockTransfer");
        }
        assertThat(classesOfExecutors(directory))
                .hasSize(2)
                .allSatisfy(log -> assertThat(log)
                        .content()
                        .contains("io.boltshuffle.spark.block.BoltBlockTransfer")
                        .as("reports, each of which follows a look at what is held")
                        .contains("io.boltshuffle.spark.report.ReportJson")
                        .doesNotContain("io.boltshuffle.client.AgentClient ", "io.boltshuffle.client.AgentSession"));
    }

    private static SparkConf logClasses(SparkConf conf, Path directory) {
        return conf.set(
                "spark.executor.extraJavaOptions", "-Xlog:class+load:file=" + directory.resolve("classes-%p.txt"));
    }

    private static List<Path> classesOfExecutors(Path directory) throws IOException {
        try (var logs = Files.list(directory)) {
            return logs.filter(file -> file.getFileName().toString().startsWith("classes-"))
                    .toList();
        }
    }

    private static AgentPair agents(Path directory, CableKind kind) throws IOException {
        return new AgentPair(Files.createDirectories(directory.resolve("n")), 1, kind);
    }

    private static SparkConf conf(TwoHosts hosts, AgentPair agents, String blocks) {
        return agents.applyTo(hosts.applicationConf("live-blocks"))
                .set("spark.plugins", "io.boltshuffle.spark.BoltShufflePlugin")
                .set("spark.boltshuffle.blocks", blocks)
                .set("spark.task.maxFailures", "8");
    }

    /** Returns how many bytes of a broadcast of the driver a task of the other host got by RDMA. */
    private static long readBroadcast(JavaSparkContext context) {
        byte[] sent = content(5 * MIB);
        Broadcast<byte[]> broadcast = context.broadcast(sent);
        try {
            Tuple2<Long, Long> read = onReader(context, () -> {
                long before = byRdma("broadcast");
                long sum = sum(broadcast.value());
                return new Tuple2<>(sum, byRdma("broadcast") - before);
            });
            assertThat(read._1()).isEqualTo(sum(sent));
            return read._2();
        } finally {
            broadcast.destroy();
        }
    }

    /** Returns partitions that are cached on the serving host. */
    private static JavaRDD<byte[]> cache(JavaSparkContext context) {
        return cache(context, context.sc().longAccumulator(), StorageLevels.MEMORY_ONLY_SER);
    }

    private static JavaRDD<byte[]> cache(JavaSparkContext context, LongAccumulator computed, StorageLevel level) {
        JavaRDD<byte[]> cached = PlacedTasks.on(context, AgentPair.SERVER, PARTITIONS)
                .map(partition -> {
                    computed.add(1);
                    return content(PARTITION_BYTES);
                })
                .persist(level);
        assertThat(cached.count()).isEqualTo(PARTITIONS);
        return cached;
    }

    /** Returns how many bytes of the cached partitions a task of the other host got by RDMA. */
    private static long readCached(JavaSparkContext context, JavaRDD<byte[]> cached) {
        int rdd = cached.id();
        long expected = sum(content(PARTITION_BYTES));
        return onReader(context, () -> {
            long before = byRdma("cached");
            for (int partition = 0; partition < PARTITIONS; partition++) {
                Option<BlockResult> found =
                        SparkEnv.get().blockManager().get(new RDDBlockId(rdd, partition), ClassTag$.MODULE$.Object());
                Iterator<Object> values = found.get().data();
                if (sum((byte[]) values.next()) != expected || values.hasNext()) {
                    throw new IllegalStateException("partition " + partition + " is not the one that was cached");
                }
            }
            return byRdma("cached") - before;
        });
    }

    /** Returns how many bytes of a result the driver got by RDMA. */
    private static long collectResult(JavaSparkContext context) {
        long before = byRdma("result");
        byte[] result = onReader(context, () -> content(5 * MIB));
        assertThat(sum(result)).isEqualTo(sum(content(5 * MIB)));
        return byRdma("result") - before;
    }

    /** Returns what Spark's own service says of a block that no host has. */
    private static String fetchOfWhatIsGone(JavaSparkContext context) {
        BlockManagerId server = SparkEnv.get().blockManager().blockManagerId();
        String host = server.host();
        int port = server.port();
        return onReader(context, () -> {
            try {
                SparkEnv.get()
                        .blockManager()
                        .blockTransferService()
                        .fetchBlockSync(host, port, "driver", "rdd_77_0", null);
                return "it came";
            } catch (Exception e) { // Scala declares none
                StringWriter text = new StringWriter();
                e.printStackTrace(new PrintWriter(text));
                return text.toString();
            }
        });
    }

    private static long counted(JavaSparkContext context, String metric) {
        return onReader(context, () -> count(metric));
    }

    private static String service(JavaSparkContext context) {
        return onReader(
                context,
                () -> SparkEnv.get()
                        .blockManager()
                        .blockTransferService()
                        .getClass()
                        .getName());
    }

    private static void killExecutor(JavaSparkContext context, String host) throws IOException {
        long pid = PlacedTasks.on(context, host, PARTITIONS)
                .map(partition -> ProcessHandle.current().pid())
                .first();
        Signal.KILL.send(pid);
    }

    private static long memory(AgentPair agents, String host, String figure) throws IOException {
        return agents.status(host).at("/memory/" + figure).asLong();
    }

    /** Counts in the process that reads. */
    private static long byRdma(String kind) {
        return count("bytes.rdma." + kind);
    }

    private static long count(String metric) {
        List<Source> sources =
                CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName("boltshuffle.blocks"));
        return sources.stream()
                .mapToLong(source -> source.metricRegistry().counter(metric).getCount())
                .sum();
    }

    /** Work of a task. */
    private interface Work<T> extends Serializable {
        T run();
    }

    private static <T> T onReader(JavaSparkContext context, Work<T> work) {
        Function<Integer, T> task = partition -> {
            if (!SparkEnv.get().blockManager().blockManagerId().host().equals(AgentPair.READER)) {
                throw new IllegalStateException("a task for another host");
            }
            return work.run();
        };
        return PlacedTasks.on(context, AgentPair.READER, PARTITIONS).map(task).first();
    }
}
