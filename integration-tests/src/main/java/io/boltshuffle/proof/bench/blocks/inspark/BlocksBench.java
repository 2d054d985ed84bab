package io.boltshuffle.proof.bench.blocks.inspark;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.examples.ProgressLine;
import io.boltshuffle.proof.bench.inspark.CpuNanos;
import io.boltshuffle.proof.bench.inspark.ExecutorHosts;
import io.boltshuffle.proof.bench.inspark.HeapFigures;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.StorageLevels;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.metrics.source.Source;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.RDDBlockId;
import scala.Option;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Measures how blocks in memory travel: {@code BlocksBench <plan> <results>}, both JSON files. The driver has to run on
 * the second host; tasks of the first host read its broadcasts, and what is cached on the second host. Every value is
 * compared with what was sent.
 */
public final class BlocksBench {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The class tag that an RDD of Java has for its elements; Spark chooses the serializer by it. */
    private static final ClassTag<Object> ANY = ClassTag$.MODULE$.Object();

    private static final int ELEMENT_BYTES = 1 << 20;
    private static final int PARTITION_BYTES = 16 << 20;
    private static final int MOST_WARM_UPS = 40;
    /** A broadcast of one piece goes by Netty. */
    private static final int SEVERAL_PIECES_BYTES = 12 << 20;

    private final JavaSparkContext spark;
    private final BlocksBenchPlan plan;
    private final ExecutorHosts hosts;
    private final List<Long> sparkProcesses;
    private final List<BlocksSample> samples = new ArrayList<>();

    /** A measurement as the reading process reports it. */
    private record Reading(long bytes, long nanos, long rdmaBytes, long allocatedBytes) implements Serializable {
        /** @param work returns how many bytes it read */
        static Reading of(BlockWork kind, IntSupplier work) {
            long rdmaBefore = rdmaBytes(kind);
            long allocatedBefore = HeapFigures.ofThisProcess().allocatedBytes();
            long start = System.nanoTime();
            long bytes = work.getAsInt();
            long nanos = System.nanoTime() - start;
            return new Reading(
                    bytes,
                    nanos,
                    rdmaBytes(kind) - rdmaBefore,
                    HeapFigures.ofThisProcess().allocatedBytes() - allocatedBefore);
        }

        /** Returns what the plugin counts in this process; 0 without it. */
        private static long rdmaBytes(BlockWork kind) {
            List<Source> sources =
                    CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName("boltshuffle.blocks"));
            return sources.stream()
                    .mapToLong(source -> source.metricRegistry()
                            .counter("bytes.rdma." + kind.label())
                            .getCount())
                    .sum();
        }
    }

    /** One measurement by the process that reads. */
    private interface Measured {
        Reading read();
    }

    private BlocksBench(JavaSparkContext spark, BlocksBenchPlan plan) {
        this.spark = spark;
        this.plan = plan;
        this.hosts = ExecutorHosts.find(spark);
        this.sparkProcesses = new ArrayList<>(hosts.processIds());
        this.sparkProcesses.add(ProcessHandle.current().pid());
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("usage: BlocksBench <plan> <results>");
        }
        BlocksBenchPlan plan = JSON.readValue(new File(args[0]), BlocksBenchPlan.class);
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("BlocksBench"))) {
            BlocksBench bench = new BlocksBench(spark, plan);
            bench.measureAll();
            Files.write(Path.of(args[1]), JSON.writeValueAsBytes(bench.samples));
        }
    }

    private void measureAll() {
        note("warming up");
        warmUp(this::driversBlocksGoByRdma);
        for (int bytes : plan.broadcastBytes()) {
            measure(BlockWork.BROADCAST, bytes, () -> broadcast(bytes));
        }
        JavaRDD<byte[]> cached = cache();
        int[] partitions = IntStream.range(0, cached.getNumPartitions()).toArray();
        int rdd = cached.id();
        Measured reading = () ->
                hosts.runOnFirst(Reading.class, () -> Reading.of(BlockWork.CACHED, () -> readCached(rdd, partitions)));
        warmUp(() -> reading.read().rdmaBytes() > 0); // their owner meets its agent once it holds some
        measure(BlockWork.CACHED, plan.cachedBytes(), reading);
        measure(
                BlockWork.RESULT,
                plan.resultBytes(),
                () -> Reading.of(BlockWork.RESULT, () -> collect(plan.resultBytes())));
    }

    /** Lets the virtual machines compile what they run, and the first fetches find the way. */
    private void warmUp(BooleanSupplier goesByRdma) {
        for (int pass = 0; pass < MOST_WARM_UPS; pass++) {
            boolean byRdma = goesByRdma.getAsBoolean();
            if (pass >= 3 && (byRdma || !plan.byRdma())) {
                return;
            }
        }
        throw new IllegalStateException("blocks do not go by RDMA; the logs of driver, executors and agents say why");
    }

    private boolean driversBlocksGoByRdma() {
        long ofBroadcast = broadcast(SEVERAL_PIECES_BYTES).rdmaBytes();
        long ofResult =
                Reading.of(BlockWork.RESULT, () -> collect(4 * ELEMENT_BYTES)).rdmaBytes();
        return ofBroadcast > 0 && ofResult > 0;
    }

    private void measure(BlockWork work, int bytes, Measured measured) {
        int repeats = plan.repeatsOf(bytes);
        for (int repeat = 0; repeat <= repeats; repeat++) {
            CpuNanos before = CpuNanos.now(sparkProcesses, plan.agents());
            Reading reading = measured.read();
            CpuNanos cpu = CpuNanos.now(sparkProcesses, plan.agents()).since(before);
            if (repeat > 0) { // the first one is for the compiler
                samples.add(new BlocksSample(
                        work, reading.bytes(), reading.nanos(), reading.rdmaBytes(), cpu, reading.allocatedBytes()));
            }
        }
        note(String.format(Locale.ROOT, "%s of %d bytes, %d times", work.label(), bytes, repeats));
    }

    private Reading broadcast(int bytes) {
        byte[] sent = content(bytes, bytes);
        Broadcast<byte[]> broadcast = spark.broadcast(sent);
        try {
            return hosts.runOnFirst(
                    Reading.class,
                    () -> Reading.of(BlockWork.BROADCAST, () -> checked(broadcast.value(), bytes).length));
        } finally {
            broadcast.destroy(true);
        }
    }

    /** Caches partitions on the second host. */
    private JavaRDD<byte[]> cache() {
        int count = Math.max(1, plan.cachedBytes() / PARTITION_BYTES);
        int bytes = plan.cachedBytes() / count;
        String host = hosts.names().get(1);
        Seq<String> preferred = CollectionConverters.asScala(List.of(host)).toSeq();
        List<Tuple2<Integer, Seq<String>>> placed = IntStream.range(0, count)
                .mapToObj(partition -> new Tuple2<Integer, Seq<String>>(partition, preferred))
                .toList();
        JavaRDD<byte[]> cached = spark.sc()
                .makeRDD(CollectionConverters.asScala(placed).toSeq(), ClassTag$.MODULE$.<Integer>apply(Integer.class))
                .toJavaRDD()
                .flatMap(partition -> elements(bytes).iterator())
                .persist(StorageLevels.MEMORY_ONLY_SER);
        cached.count();
        for (int partition = 0; partition < count; partition++) {
            Seq<BlockManagerId> owners =
                    SparkEnv.get().blockManager().master().getLocations(new RDDBlockId(cached.id(), partition));
            if (owners.size() != 1 || !owners.head().host().equals(host)) {
                throw new IllegalStateException("partition " + partition + " is to be on " + host + " and is at "
                        + owners + "; the executors may have too little memory");
            }
        }
        return cached;
    }

    private static List<byte[]> elements(int bytes) {
        List<byte[]> elements = new ArrayList<>();
        for (int left = bytes; left > 0; left -= ELEMENT_BYTES) {
            int size = Math.min(left, ELEMENT_BYTES);
            elements.add(content(size, size));
        }
        return elements;
    }

    /** Runs in an executor, as the part of Spark does that looks for a cached partition. */
    private static int readCached(int rdd, int[] partitions) {
        int bytes = 0;
        for (int partition : partitions) {
            Option<BlockResult> found = SparkEnv.get().blockManager().get(new RDDBlockId(rdd, partition), ANY);
            if (found.isEmpty()) {
                throw new IllegalStateException("partition " + partition + " is cached nowhere any more");
            }
            Iterator<Object> values = found.get().data();
            while (values.hasNext()) {
                byte[] element = (byte[]) values.next();
                bytes += checked(element, element.length).length;
            }
        }
        return bytes;
    }

    /** Returns the size of the result of one task of the first host. */
    private int collect(int bytes) {
        Seq<String> preferred =
                CollectionConverters.asScala(List.of(hosts.names().get(0))).toSeq();
        Seq<Tuple2<Integer, Seq<String>>> placed = CollectionConverters.asScala(List.of(new Tuple2<>(0, preferred)))
                .toSeq();
        List<byte[]> results = spark.sc()
                .makeRDD(placed, ClassTag$.MODULE$.<Integer>apply(Integer.class))
                .toJavaRDD()
                .map(any -> content(bytes, bytes))
                .collect();
        return checked(results.get(0), bytes).length;
    }

    /**
     * Bytes that do not compress, because what is compressed travels as less: random ones that repeat later than a
     * codec remembers, since making them is not what is measured.
     */
    private static byte[] content(int bytes, long seed) {
        byte[] content = new byte[bytes];
        byte[] tile = new byte[Math.min(bytes, ELEMENT_BYTES)];
        new Random(seed).nextBytes(tile);
        for (int at = 0; at < bytes; at += tile.length) {
            System.arraycopy(tile, 0, content, at, Math.min(tile.length, bytes - at));
        }
        return content;
    }

    /** Looks at the start and the end of the bytes, since looking is not what is measured. */
    private static byte[] checked(byte[] arrived, int bytes) {
        byte[] sent = content(Math.min(bytes, ELEMENT_BYTES), bytes);
        int last = bytes - 1;
        if (arrived.length != bytes || arrived[0] != sent[0] || arrived[last] != sent[last % sent.length]) {
            throw new IllegalStateException("other bytes arrived than were sent");
        }
        return arrived;
    }

    private static void note(String text) {
        System.out.println(new ProgressLine.Note(text).format());
    }
}
