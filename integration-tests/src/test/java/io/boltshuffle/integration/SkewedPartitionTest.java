package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.spark.BoltShuffleManager;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** A partition that is larger than an int and a ByteBuffer can say, and than the memory of a task by far. */
@Tag("ladder")
class SkewedPartitionTest {
    private static final int ROWS = 3_100;
    private static final int KEY = 7;

    @Test
    void aPartitionOfThreeGigabytesIsWrittenAndReadBack(@TempDir Path directory) {
        SparkConf conf = new SparkConf(false)
                .setMaster("local[2]")
                .setAppName("skewed-partition")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.local.dir", directory.toString())
                .set("spark.testing.memory", String.valueOf(64 << 20))
                .set("spark.testing.reservedMemory", "0")
                .set("spark.unsafe.exceptionOnMemoryLeak", "true")
                .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                .set("spark.shuffle.manager", BoltShuffleManager.class.getName());
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            ShuffleWrites writes = ShuffleWrites.listeningTo(context.sc());

            List<Tuple2<Integer, Long>> read = context.parallelize(List.of(0), 1)
                    .flatMapToPair(one -> IntStream.range(0, ROWS)
                            .mapToObj(row -> new Tuple2<>(row % 100 == 0 ? row : KEY, LargeRows.row(row)))
                            .iterator())
                    .partitionBy(new HashPartitioner(40))
                    .mapPartitions(rows -> {
                        int count = 0;
                        long sum = 0;
                        while (rows.hasNext()) {
                            sum += LargeRows.checksum(rows.next()._2());
                            count++;
                        }
                        return List.of(new Tuple2<>(count, sum)).iterator();
                    })
                    .collect();

            assertThat(read.stream().mapToInt(Tuple2::_1).sum()).isEqualTo(ROWS);
            assertThat(read.stream().mapToInt(Tuple2::_1).max().orElse(0)).isGreaterThan(3_000);
            assertThat(read.stream().mapToLong(Tuple2::_2).sum())
                    .isEqualTo(IntStream.range(0, ROWS)
                            .mapToLong(row -> LargeRows.checksum(LargeRows.row(row)))
                            .sum());
            assertThat(writes.bytesWritten()).isGreaterThan(3L << 30);
            assertThat(writes.diskBytesSpilled()).isGreaterThan(2L << 30);
            assertThat(writes.peakMemory()).isLessThan(64 << 20);
        }
    }
}
