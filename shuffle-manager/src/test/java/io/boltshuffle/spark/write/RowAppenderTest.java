package io.boltshuffle.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.boltshuffle.spark.write.WriterFixture.Output;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.UnsafeRowSerializer;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Product2;
import scala.Tuple2;

/** SQL's rows are laid down as Spark's serializer does, and SQL's metric counts them. */
@Tag("slow")
class RowAppenderTest {
    private static final int FIELDS = 2;

    private final Path directory;

    RowAppenderTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** Rows on the heap and off it, most of them small, some of them larger than a codec's block. */
    private static List<Product2<Object, Object>> rows(int count, int partitions) {
        Random random = new Random(count);
        List<Product2<Object, Object>> rows = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            int words = random.nextInt(200) == 0 ? random.nextInt(12_000) : random.nextInt(30);
            byte[] bytes = new byte[8 * (1 + FIELDS + words)];
            random.nextBytes(bytes);
            UnsafeRow row = new UnsafeRow(FIELDS);
            row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
            rows.add(new Tuple2<>(random.nextInt(partitions), row));
        }
        return rows;
    }

    private static List<Product2<Object, Object>> offHeap(List<Product2<Object, Object>> rows, List<Long> addresses) {
        return rows.stream()
                .<Product2<Object, Object>>map(pair -> {
                    UnsafeRow row = (UnsafeRow) pair._2();
                    long address = Platform.allocateMemory(row.getSizeInBytes());
                    addresses.add(address);
                    row.writeToMemory(null, address);
                    UnsafeRow copy = new UnsafeRow(FIELDS);
                    copy.pointTo(null, address, row.getSizeInBytes());
                    return new Tuple2<>(pair._1(), copy);
                })
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"lz4, 5, 3g", "lz4, 40, 3g", "none, 40, 3g", "snappy, 5, 3g", "lz4, 40, little", "none, 5, little"})
    void theFilesAreThoseOfSparksSerializer(String codec, int partitions, String memory) {
        Map<String, String> settings = Map.of(
                "spark.shuffle.compress",
                String.valueOf(!codec.equals("none")),
                "spark.io.compression.codec",
                codec.equals("none") ? "lz4" : codec,
                "spark.memory.offHeap.enabled",
                "false",
                "spark.testing.memory",
                memory.equals("3g") ? "3221225472" : "4194304",
                "spark.testing.reservedMemory",
                "0");
        List<Long> addresses = new ArrayList<>();
        try (WriterFixture fixture = new WriterFixture(directory, settings)) {
            SQLMetric size = SQLMetrics.createSizeMetric(fixture.context().sc(), "data size", 0);
            ShuffleDependency<Object, Object, Object> shuffle =
                    fixture.shuffle(partitions, new UnsafeRowSerializer(FIELDS, size));
            List<Product2<Object, Object>> rows = rows(20_000, partitions);

            Output stock = fixture.write(fixture.stock(), shuffle, fixture.newMapId(), rows);
            long counted = size.value();
            Output ours = fixture.write(fixture.ours(), shuffle, fixture.newMapId(), rows);
            Output ofOffHeap = fixture.write(fixture.ours(), shuffle, fixture.newMapId(), offHeap(rows, addresses));

            assertThat(counted).isPositive();
            assertThat(size.value()).isEqualTo(3 * counted);
            for (int partition = 0; partition < partitions; partition++) {
                List<UnsafeRow> expected = read(fixture, shuffle, stock, partition);
                assertThat(read(fixture, shuffle, ours, partition)).isEqualTo(expected);
                assertThat(read(fixture, shuffle, ofOffHeap, partition)).isEqualTo(expected);
            }
            if (memory.equals("3g")) { // short of memory, blocks are shorter
                assertThat(ours.data()).isEqualTo(stock.data());
                assertThat(ours.checksumFile()).isEqualTo(stock.checksumFile());
            } else {
                assertThat(ours.diskBytesSpilled()).isPositive();
            }
        } finally {
            addresses.forEach(Platform::freeMemory);
        }
    }

    /** Spark's writers write a row from where it lies, and keep nothing of it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLargeRowIsNotCopiedAsAWhole(boolean offHeap) {
        List<Long> addresses = new ArrayList<>();
        Map<String, String> settings = Map.of("spark.memory.offHeap.enabled", "false");
        try (WriterFixture fixture = new WriterFixture(directory, settings)) {
            ShuffleDependency<Object, Object, Object> shuffle =
                    fixture.shuffle(3, new UnsafeRowSerializer(FIELDS, null));
            UnsafeRow row = new UnsafeRow(FIELDS);
            byte[] bytes = new byte[64 << 20]; // it compresses well
            row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
            List<Product2<Object, Object>> onHeap = List.of(new Tuple2<>(1, row));
            List<Product2<Object, Object>> rows = offHeap ? offHeap(onHeap, addresses) : onHeap;
            fixture.write(fixture.ours(), shuffle, fixture.newMapId(), rows); // loads classes

            long allocatedBytes = fixture.inTask(() -> {
                ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
                long before = threads.getCurrentThreadAllocatedBytes();
                fixture.writeHere(fixture.ours(), shuffle, fixture.newMapId(), rows);
                return threads.getCurrentThreadAllocatedBytes() - before;
            });
            Output output = fixture.write(fixture.ours(), shuffle, fixture.newMapId(), rows);

            assertThat(allocatedBytes).isLessThan(4 << 20);
            assertThat(read(fixture, shuffle, output, 1)).containsExactly(row);
        } finally {
            addresses.forEach(Platform::freeMemory);
        }
    }

    private static List<UnsafeRow> read(
            WriterFixture fixture, ShuffleDependency<Object, Object, Object> shuffle, Output output, int partition) {
        return fixture.rows(shuffle, output.partition(partition));
    }
}
