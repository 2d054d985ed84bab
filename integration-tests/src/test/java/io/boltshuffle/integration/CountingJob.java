package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
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
 * Counts rows by key, after a shuffle that carries the rows themselves; each row is looked at. Reduce tasks read their blocks
 * as they come, so that at a task's first row other blocks are held or on their way.
 */
final class CountingJob {

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

    /** Something that goes wrong where it is called, in a task. */
    interface Damage extends Serializable {
        Damage NONE = () -> {};

        void strike() throws Exception;

        /** Runs a command on this machine. */
        static Damage command(List<String> command) {
            String[] words = command.toArray(String[]::new);
            return () -> NodeAgents.run(List.of(words));
        }
    }

    /** When the first attempt of the first reduce task does the damage. */
    enum Moment {
        FIRST_ROW,
        AFTER_THE_LAST_ROW
    }

    /** The counts. Collected twice, the second time reads the shuffle files of the first. */
    JavaPairRDD<Integer, Integer> counts(Moment moment, Damage damage) {
        return context.parallelize(IntStream.range(0, rows).boxed().toList(), MAPS)
                .mapToPair(number -> new Tuple2<>(number % KEYS, row(number)))
                .partitionBy(new HashPartitioner(partitions))
                .mapPartitionsToPair(read -> {
                    TaskContext task = TaskContext.get();
                    boolean struck =
                            task.partitionId() != 0 || task.attemptNumber() > 0 || task.stageAttemptNumber() > 0;
                    Map<Integer, Integer> counts = new HashMap<>();
                    while (read.hasNext()) {
                        if (!struck && moment == Moment.FIRST_ROW) {
                            struck = true;
                            damage.strike();
                        }
                        Tuple2<Integer, byte[]> row = read.next();
                        boolean right = isWhole(row._2()) && numberOf(row._2()) % KEYS == row._1();
                        counts.merge(row._1(), right ? 1 : 0, Integer::sum);
                    }
                    if (!struck) {
                        damage.strike();
                    }
                    return counts.entrySet().stream()
                            .map(count -> new Tuple2<>(count.getKey(), count.getValue()))
                            .iterator();
                });
    }

    Map<Integer, Integer> run(Moment moment, Damage damage) {
        return counts(moment, damage).collectAsMap();
    }

    Map<Integer, Integer> run() {
        return run(Moment.FIRST_ROW, Damage.NONE);
    }

    /** Runs until blocks move by RDMA: agents that were lost are probed again with growing delays. */
    void awaitRdma(NodeAgents agents) {
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
