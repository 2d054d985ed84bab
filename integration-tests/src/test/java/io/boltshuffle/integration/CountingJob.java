package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Counts rows by key, after a shuffle that carries the rows themselves; each row is looked at. Reduce tasks read their
 * blocks as they come, so that at a task's first row other blocks are held or on their way.
 */
final class CountingJob {

    /** Limits what may come into memory at once: of the jobs below, only blocks of {@link #toFiles} are larger. */
    static final String TO_MEMORY = "11m";

    private static final int FRAME_BYTES = 4096;
    private static final int MAPS = 6;
    private static final int KEYS = 200;
    private static final int ROW_BYTES = 1000;

    private final JavaSparkContext context;
    private final int rows;
    private final int partitions;

    CountingJob(JavaSparkContext context, int rows, int partitions) {
        this.context = context;
        this.rows = rows;
        this.partitions = partitions;
    }

    /**
     * Few tasks that read much: more than one may hold of an agent's memory, in blocks of which no two fit one pull.
     */
    static CountingJob large(JavaSparkContext context) {
        return new CountingJob(context, 60_000, 2);
    }

    /** One task that reads blocks so large that they are written to files. */
    static CountingJob toFiles(JavaSparkContext context) {
        return new CountingJob(context, 80_000, 1);
    }

    /** Returns the frames of a block, which is the least that a pull brings. */
    long blockFrames() {
        return (long) rows * ROW_BYTES / MAPS / partitions / FRAME_BYTES;
    }

    /** Something that the first attempt of the first reduce task does in between. */
    interface Interruption extends Serializable {
        Interruption NONE = () -> {};

        void run() throws Exception;
    }

    /** The moment at which an interruption comes. */
    enum Moment {
        FIRST_ROW,
        AFTER_THE_LAST_ROW
    }

    /** The counts. Collected twice, the second time reads the shuffle files of the first. */
    JavaPairRDD<Integer, Integer> counts(Moment moment, Interruption interruption) {
        return shuffled().mapPartitionsToPair(read -> {
            TaskContext task = TaskContext.get();
            boolean over = task.partitionId() != 0 || task.attemptNumber() > 0 || task.stageAttemptNumber() > 0;
            if (!over && moment == Moment.FIRST_ROW && read.hasNext()) {
                over = true;
                interruption.run();
            }
            Iterator<Tuple2<Integer, Integer>> counts = countsOf(read);
            if (!over) {
                interruption.run();
            }
            return counts;
        });
    }

    /** Reads rows to the end, and counts those of each key that are as they were written. */
    static Iterator<Tuple2<Integer, Integer>> countsOf(Iterator<Tuple2<Integer, byte[]>> rows) {
        Map<Integer, Integer> counts = new HashMap<>();
        while (rows.hasNext()) {
            Tuple2<Integer, byte[]> row = rows.next();
            boolean right = isWhole(row._2()) && numberOf(row._2()) % KEYS == row._1();
            counts.merge(row._1(), right ? 1 : 0, Integer::sum);
        }
        return counts.entrySet().stream()
                .map(count -> new Tuple2<>(count.getKey(), count.getValue()))
                .iterator();
    }

    /** The number of one row of each partition: the tasks leave the others unread. */
    List<Integer> firstRows() {
        return shuffled()
                .mapPartitions(read -> List.of(numberOf(read.next()._2())).iterator())
                .collect();
    }

    int partitions() {
        return partitions;
    }

    Map<Integer, Integer> run(Moment moment, Interruption interruption) {
        return counts(moment, interruption).collectAsMap();
    }

    Map<Integer, Integer> run() {
        return run(Moment.FIRST_ROW, Interruption.NONE);
    }

    /** Shuffles the counts once more, in a stage that begins when the first reduce is over. */
    Map<Integer, Integer> runAndShuffleAgain(Interruption interruption) {
        return counts(Moment.FIRST_ROW, interruption)
                .reduceByKey(new HashPartitioner(partitions + 1), Integer::sum)
                .collectAsMap();
    }

    /** Runs until blocks move by RDMA: agents that were lost are probed again with growing delays. */
    void awaitRdma(AgentPair agents) {
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    long before = agents.servedBytes();
                    assertThat(run()).isEqualTo(expected());
                    return agents.servedBytes() > before && before >= 0;
                });
    }

    Map<Integer, Integer> expected() {
        return IntStream.range(0, KEYS).boxed().collect(Collectors.toMap(key -> key, key -> rows / KEYS));
    }

    /** The rows, by their keys. */
    JavaPairRDD<Integer, byte[]> shuffled() {
        return context.parallelize(IntStream.range(0, rows).boxed().toList(), MAPS)
                .mapToPair(number -> new Tuple2<>(number % KEYS, row(number)))
                .partitionBy(new HashPartitioner(partitions));
    }

    /** Begins with its number; the rest does not compress, so that it is moved as it is. */
    private static byte[] row(int number) {
        byte[] row = new byte[ROW_BYTES];
        new Random(number).nextBytes(row);
        row[0] = (byte) (number >>> 16);
        row[1] = (byte) (number >>> 8);
        row[2] = (byte) number;
        return row;
    }

    private static int numberOf(byte[] row) {
        return (row[0] & 0xff) << 16 | (row[1] & 0xff) << 8 | (row[2] & 0xff);
    }

    private static boolean isWhole(byte[] row) {
        return Arrays.equals(row, row(numberOf(row)));
    }
}
