package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Shows that Spark repairs by running map stages again under the plugin what it repairs without. */
@Tag("slow")
class ShuffleFaultsTest {
    private static final int ROWS = 50_000;
    private static final int KEYS = 500;

    private static TwoHosts hosts;
    private static JavaSparkContext context;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        hosts = TwoHosts.start(directory);
        context = new JavaSparkContext(hosts.applicationConf("shuffle-faults"));
    }

    @AfterAll
    static void stop() {
        context.close();
        hosts.close();
    }

    @Test
    void aJobOutlivesAnExecutorThatDiesInTheMiddleOfItsReduce() throws Exception {
        ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
        JavaPairRDD<Integer, Integer> reduced = counts().mapPartitionsToPair(records -> {
            TaskContext task = TaskContext.get();
            if (task.partitionId() == 0 && task.stageAttemptNumber() == 0 && task.attemptNumber() == 0) {
                records.next();
                Runtime.getRuntime().halt(137);
            }
            return records;
        });

        assertThat(reduced.collectAsMap()).isEqualTo(expected());
        assertThat(reads.retriedStages()).isNotEmpty();
    }

    @Test
    void aCorruptBlockIsFoundAndItsMapRunsAgain() throws Exception {
        ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
        JavaPairRDD<Integer, Integer> counts = counts();
        assertThat(counts.collectAsMap()).isEqualTo(expected());
        assertThat(reads.retriedStages()).isEmpty();

        corrupt(MapOutputs.newestFile(hosts.localDirectory()));

        assertThat(counts.collectAsMap()).isEqualTo(expected());
        assertThat(reads.retriedStages()).isNotEmpty();
    }

    private static JavaPairRDD<Integer, Integer> counts() {
        return context.parallelize(IntStream.range(0, ROWS).boxed().toList(), 4)
                .mapToPair(id -> new Tuple2<>(id % KEYS, 1))
                .reduceByKey(Integer::sum, 4);
    }

    private static Map<Integer, Integer> expected() {
        return IntStream.range(0, KEYS).boxed().collect(Collectors.toMap(key -> key, key -> ROWS / KEYS));
    }

    /** Turns over every bit in the middle half of a file. */
    private static void corrupt(Path file) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            byte[] middle = new byte[(int) (bytes.length() / 2)];
            bytes.seek(bytes.length() / 4);
            bytes.readFully(middle);
            for (int at = 0; at < middle.length; at++) {
                middle[at] = (byte) ~middle[at];
            }
            bytes.seek(bytes.length() / 4);
            bytes.write(middle);
        }
    }
}
