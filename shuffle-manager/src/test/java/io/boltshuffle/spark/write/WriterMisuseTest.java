package io.boltshuffle.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.boltshuffle.spark.write.WriterFixture.Output;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.Partitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.shuffle.sort.BypassMergeSortShuffleHandle;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.UnsafeRowSerializer;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Product2;
import scala.Tuple2;
import scala.reflect.ClassTag;

/** A fault of a user's partitioner or serializer ends as with Spark's writers, and never without a row. */
@Tag("slow")
class WriterMisuseTest {
    private static final List<Integer> PARTITIONS = List.of(1, 16, 17, 200, 201, 10_000);
    private static final int ASTRAY = 13;

    private final Path directory;

    WriterMisuseTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private static Map<String, String> settings(String codec) {
        Map<String, String> settings = new HashMap<>(WriterOutputTest.settings(codec, "kryo", false));
        settings.put("spark.boltshuffle.writer.maxPartitions", "10000");
        return settings;
    }

    @Test
    void aPartitionThatDoesNotExistIsRefusedAsByStock() {
        assertRefusedWith("lz4");
    }

    @Tag("ci")
    @ParameterizedTest
    @ValueSource(strings = {"none", "zstd"})
    void aPartitionThatDoesNotExistIsRefusedAsByStockWithOtherCodecs(String codec) {
        assertRefusedWith(codec);
    }

    private void assertRefusedWith(String codec) {
        try (WriterFixture fixture = new WriterFixture(directory, settings(codec))) {
            List<String> tried = new ArrayList<>();
            for (int partitions : PARTITIONS) {
                for (Serializer serializer : List.of(
                        new KryoSerializer(new SparkConf(false)),
                        new JavaSerializer(new SparkConf(false)),
                        new IntegerSerializer(true, true),
                        new UnsafeRowSerializer(1, null))) {
                    if (fixture.leftToSpark(fixture.shuffle(partitions, serializer))
                            .isEmpty()) {
                        tried.add(serializer.getClass().getSimpleName() + " " + partitions);
                        for (int answer :
                                List.of(-1, partitions, partitions + 1, Integer.MIN_VALUE, Integer.MAX_VALUE)) {
                            assertRefused(
                                    fixture, fixture.shuffle(new Straying(partitions, answer), serializer), answer);
                        }
                    }
                }
            }
            assertThat(tried).contains("KryoSerializer 17", "JavaSerializer 200", "UnsafeRowSerializer 1");
        }
    }

    private static void assertRefused(
            WriterFixture fixture, ShuffleDependency<Object, Object, Object> shuffle, int answer) {
        boolean rows = shuffle.serializer() instanceof UnsafeRowSerializer;
        List<Tuple2<Object, Object>> records = IntStream.of(1, 2, ASTRAY, 3)
                .mapToObj(key -> new Tuple2<Object, Object>(key, rows ? row(key) : key))
                .toList();
        Throwable stock = thrownBy(fixture, fixture.stock(), shuffle, records);
        Set<Path> before = fixture.files();

        Throwable ours = thrownBy(fixture, fixture.ours(), shuffle, records);

        String what = shuffle.serializer().getClass() + ", " + answer + " of "
                + shuffle.partitioner().numPartitions();
        assertThat(ours)
                .as(what)
                .isInstanceOf(ArrayIndexOutOfBoundsException.class)
                .hasMessageStartingWith("Index " + answer + " out of bounds for length ");
        if (shuffle.shuffleHandle() instanceof BypassMergeSortShuffleHandle<?, ?>) {
            assertThat(stock).as(what).hasSameClassAs(ours);
        } else if (answer != Integer.MIN_VALUE) { // Spark's serialized writer keeps 24 bits of it, which are zero
            assertThat(stock).as(what).isNotNull();
        }
        assertThat(fixture.files()).as(what).isEqualTo(before);
    }

    private static Throwable thrownBy(
            WriterFixture fixture,
            SortShuffleManager manager,
            ShuffleDependency<Object, Object, Object> shuffle,
            List<? extends Product2<Object, Object>> records) {
        return fixture.inTask(() ->
                new Throwable[] {catchThrowable(() -> fixture.writeHere(manager, shuffle, fixture.newMapId(), records))
                })[0];
    }

    private static UnsafeRow row(int value) {
        byte[] bytes = new byte[16];
        ByteBuffer.wrap(bytes).putInt(8, value);
        UnsafeRow row = new UnsafeRow(1);
        row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
        return row;
    }

    /** Spark's bypass writer has a stream for each partition, so it writes what such a serializer needs. */
    @Test
    void aSerializerThatIsWrongAboutItselfLosesNothingWhereSparkWouldBypass() {
        try (WriterFixture fixture = new WriterFixture(directory, settings("none"))) {
            for (int partitions : List.of(2, 16, 17, 200)) {
                for (boolean flushes : List.of(true, false)) {
                    ShuffleDependency<Object, Object, Object> shuffle =
                            fixture.shuffle(partitions, new IntegerSerializer(true, flushes));
                    List<Tuple2<Object, Object>> records = integers(5_000);

                    Output stock = fixture.write(fixture.stock(), shuffle, fixture.newMapId(), records);
                    Output ours = fixture.write(fixture.ours(), shuffle, fixture.newMapId(), records);

                    assertThat(fixture.leftToSpark(shuffle)).isEmpty();
                    assertThat(ours.data()).isEqualTo(stock.data());
                    int read = 0;
                    for (int partition = 0; partition < partitions; partition++) {
                        read += fixture.read(shuffle, ours.partition(partition)).size();
                    }
                    assertThat(read).isEqualTo(records.size());
                }
            }
        }
    }

    @Test
    void theBytesOfASharedStreamLieInThePartitionOfTheirRecord() {
        try (WriterFixture fixture = new WriterFixture(directory, settings("none"))) {
            ShuffleDependency<Object, Object, Object> shuffle =
                    fixture.shuffle(300, new IntegerSerializer(false, true));
            List<Tuple2<Object, Object>> records = integers(5_000);

            Output stock = fixture.write(fixture.stock(), shuffle, fixture.newMapId(), records);
            Output ours = fixture.write(fixture.ours(), shuffle, fixture.newMapId(), records);

            assertThat(fixture.leftToSpark(shuffle)).isEmpty();
            assertThat(ours.data()).isEqualTo(stock.data());
        }
    }

    /** Spark's serialized writer has an assertion for it. Without assertions it loses the rows. */
    @Test
    void aSharedStreamThatKeepsARecordBackIsRefused() {
        try (WriterFixture fixture = new WriterFixture(directory, settings("none"))) {
            ShuffleDependency<Object, Object, Object> shuffle =
                    fixture.shuffle(300, new IntegerSerializer(false, false));
            Throwable stock = thrownBy(fixture, fixture.stock(), shuffle, integers(5_000));
            Set<Path> before = fixture.files();

            Throwable ours = thrownBy(fixture, fixture.ours(), shuffle, integers(5_000));

            assertThat(stock).isInstanceOf(AssertionError.class);
            assertThat(ours).isInstanceOf(IllegalStateException.class).hasMessageContaining("relocation");
            assertThat(fixture.files()).isEqualTo(before);
        }
    }

    private static List<Tuple2<Object, Object>> integers(int count) {
        return IntStream.range(0, count)
                .mapToObj(key -> new Tuple2<Object, Object>(key, key))
                .toList();
    }

    /** Answers 0, but for one key. */
    private static final class Straying extends Partitioner {
        private final int partitions;
        private final int answer;

        Straying(int partitions, int answer) {
            this.partitions = partitions;
            this.answer = answer;
        }

        @Override
        public int numPartitions() {
            return partitions;
        }

        @Override
        public int getPartition(Object key) {
            return key.equals(ASTRAY) ? answer : 0;
        }
    }

    /** Writes integers, and says that its records may be put in another order. */
    private static final class IntegerSerializer extends Serializer {
        private static final int END = -1;

        private final boolean framed;
        private final boolean flushes;

        /**
         * @param framed whether a stream begins and ends with an integer of its own
         * @param flushes whether a stream's flush writes what it has gathered
         */
        IntegerSerializer(boolean framed, boolean flushes) {
            this.framed = framed;
            this.flushes = flushes;
        }

        @Override
        public boolean supportsRelocationOfSerializedObjects() {
            return true;
        }

        @Override
        public SerializerInstance newInstance() {
            return new SerializerInstance() {
                @Override
                public <T> ByteBuffer serialize(T value, ClassTag<T> type) {
                    throw new UnsupportedOperationException("streams only");
                }

                @Override
                public <T> T deserialize(ByteBuffer bytes, ClassTag<T> type) {
                    throw new UnsupportedOperationException("streams only");
                }

                @Override
                public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> type) {
                    throw new UnsupportedOperationException("streams only");
                }

                @Override
                public SerializationStream serializeStream(OutputStream out) {
                    return new Written(out);
                }

                @Override
                public DeserializationStream deserializeStream(InputStream in) {
                    return new Read(in);
                }
            };
        }

        private final class Written extends SerializationStream {
            private final OutputStream below;
            private final ByteBuffer gathered = ByteBuffer.allocate(1 << 10);

            Written(OutputStream below) {
                this.below = below;
                if (framed) {
                    gathered.putInt(0);
                }
            }

            @Override
            public <T> SerializationStream writeObject(T value, ClassTag<T> type) {
                put((Integer) value);
                return this;
            }

            private void put(int value) {
                if (gathered.remaining() < Integer.BYTES) {
                    writeGathered();
                }
                gathered.putInt(value);
            }

            private void writeGathered() {
                try {
                    below.write(gathered.array(), 0, gathered.position());
                    gathered.clear();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void flush() {
                if (flushes) {
                    writeGathered();
                }
            }

            @Override
            public void close() {
                if (framed) {
                    put(END);
                }
                writeGathered();
                try {
                    below.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        private final class Read extends DeserializationStream {
            private final DataInputStream bytes;

            Read(InputStream below) {
                bytes = new DataInputStream(below);
                if (framed) {
                    next();
                }
            }

            private int next() {
                try {
                    return bytes.readInt();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            @SuppressWarnings("unchecked") // it has only integers
            public <T> T readObject(ClassTag<T> type) {
                int value = next();
                if (value == END) {
                    Platform.throwException(new EOFException());
                }
                return (T) Integer.valueOf(value);
            }

            @Override
            public void close() {
                try {
                    bytes.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
