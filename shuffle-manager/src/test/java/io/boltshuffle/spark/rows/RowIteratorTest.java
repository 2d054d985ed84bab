package io.boltshuffle.spark.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.executor.TempShuffleReadMetrics;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.UnsafeRowSerializer;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockId;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Rows that Spark's serializer wrote are read as its own stream reads them. */
class RowIteratorTest {
    private static final int FIELDS = 3;
    private static final ClassTag<Object> ANY = ClassTag$.MODULE$.Object();
    private static final UnsafeRowSerializer SERIALIZER = new UnsafeRowSerializer(FIELDS, null);

    private final TempShuffleReadMetrics metrics = new TempShuffleReadMetrics();

    /** Gives no more than so many bytes at a time, and remembers whether it was closed. */
    private static final class Trickle extends InputStream {
        private final InputStream bytes;
        private final int atOnce;
        boolean closed;

        Trickle(byte[] bytes, int atOnce) {
            this.bytes = new ByteArrayInputStream(bytes);
            this.atOnce = atOnce;
        }

        @Override
        public int read() throws IOException {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            return bytes.read(target, offset, Math.min(length, atOnce));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** A row of random bytes; its size, as any row's, is a multiple of eight. */
    private static UnsafeRow row(Random random) {
        int words = random.nextInt(40) == 0 ? random.nextInt(30_000) : random.nextInt(60);
        byte[] bytes = new byte[8 * (1 + FIELDS + words)];
        random.nextBytes(bytes);
        UnsafeRow row = new UnsafeRow(FIELDS);
        row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
        return row;
    }

    private static List<UnsafeRow> rows(int count, long seed) {
        Random random = new Random(seed);
        List<UnsafeRow> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(row(random));
        }
        return rows;
    }

    private static byte[] written(List<UnsafeRow> rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SerializationStream stream = SERIALIZER.newInstance().serializeStream(bytes);
        for (UnsafeRow row : rows) {
            stream.writeKey(0, ANY);
            stream.writeValue(row, ANY);
        }
        stream.close();
        return bytes.toByteArray();
    }

    private RowIterator over(int bufferBytes, InputStream... streams) {
        List<Tuple2<BlockId, InputStream>> blocks = Arrays.stream(streams)
                .map(stream -> new Tuple2<BlockId, InputStream>(new ShuffleBlockId(0, 0, 0), stream))
                .toList();
        return new RowIterator(CollectionConverters.asScala(blocks.iterator()), FIELDS, metrics, bufferBytes);
    }

    private static List<UnsafeRow> copies(RowIterator iterator) {
        List<UnsafeRow> rows = new ArrayList<>();
        while (iterator.hasNext()) {
            Tuple2<Object, Object> pair = iterator.next();
            assertThat(pair._1()).isEqualTo(0);
            rows.add(((UnsafeRow) pair._2()).copy());
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 64, 4096, 1 << 20})
    void rowsOfAllSizesComeBackWhateverTheBuffer(int bufferBytes) {
        List<UnsafeRow> rows = rows(300, bufferBytes);
        byte[] bytes = written(rows);

        assertThat(copies(over(bufferBytes, new ByteArrayInputStream(bytes)))).isEqualTo(rows);
        assertThat(copies(over(bufferBytes, new Trickle(bytes, 3)))).isEqualTo(rows);
        assertThat(metrics.recordsRead()).isEqualTo(600);
    }

    @Test
    void streamsFollowEachOtherAndEmptyOnesAreClosedToo() {
        Trickle first = new Trickle(written(rows(5, 1)), 100);
        Trickle empty = new Trickle(new byte[0], 100);
        Trickle last = new Trickle(written(rows(7, 2)), 100);
        RowIterator iterator = over(64, first, empty, last);

        List<UnsafeRow> expected = rows(5, 1);
        expected.addAll(rows(7, 2));
        assertThat(copies(iterator)).isEqualTo(expected);
        assertThat(List.of(first.closed, empty.closed, last.closed)).containsOnly(true);
        assertThat(iterator.hasNext()).isFalse();
        assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void aStreamIsClosedWithItsLastRowWhoseBytesStay() {
        Trickle first = new Trickle(written(rows(2, 3)), 100);
        RowIterator iterator = over(64, first, new Trickle(written(rows(2, 4)), 100));
        iterator.next();
        UnsafeRow last = (UnsafeRow) iterator.next()._2();

        assertThat(first.closed).isTrue();
        UnsafeRow before = last.copy();
        iterator.next();
        assertThat(last).isEqualTo(before);
    }

    @Test
    void oneRowObjectServesAStreamAsInSpark() {
        RowIterator iterator = over(64, new ByteArrayInputStream(written(rows(3, 5))));
        Object first = iterator.next()._2();
        assertThat(iterator.next()._2()).isSameAs(first);
    }

    @Test
    void aBlockThatIsCutOffIsAnErrorAndNoRow() {
        byte[] bytes = written(rows(1, 6));
        for (int length = 1; length < bytes.length; length++) {
            RowIterator iterator = over(16, new ByteArrayInputStream(bytes, 0, length));
            assertThatThrownBy(iterator::next).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void aNegativeSizeIsAnError() {
        byte[] bytes = {(byte) 0x80, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0};
        assertThatThrownBy(() -> over(16, new ByteArrayInputStream(bytes)).hasNext())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("-2147483640");
    }

    @Test
    void whatAStreamThrowsComesOutAsItIs() {
        IOException failure = new IOException("the disk is gone");
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw failure;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                throw failure;
            }
        };
        assertThatThrownBy(() -> over(16, broken).hasNext()).isSameAs(failure);
    }

    @Test
    void onlySparksSerializerOfRowsIsKnown() {
        assertThat(RowFormat.of(SERIALIZER)).isEqualTo(Optional.of(new RowFormat(FIELDS, null)));
        assertThat(RowFormat.of(new JavaSerializer(new SparkConf(false)))).isEmpty();
    }
}
