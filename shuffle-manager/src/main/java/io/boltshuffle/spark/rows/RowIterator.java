package io.boltshuffle.spark.rows;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.NoSuchElementException;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.storage.BlockId;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * The rows of one stream after another, each with the key 0, as Spark's serializer gives them: all rows of a stream are
 * the same object, whose bytes change with each call of {@link #next}.
 *
 * <p><b>Ownership:</b> of the streams that it has taken: each is closed when its last row is returned. Those that a
 * task leaves unread are closed by the code that made them.
 *
 * <p><b>Errors:</b> what a stream throws comes out as it is, an {@link IOException} as well as Spark's
 * FetchFailedException. Unlike Spark's, a stream that ends amid a row's size is an {@link EOFException}, too.
 */
public final class RowIterator extends AbstractIterator<Tuple2<Object, Object>> {
    private static final VarHandle INT_AT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int END = -1;
    private static final int FIRST_ROW_BYTES = 1 << 10;

    private final Iterator<Tuple2<BlockId, InputStream>> streams;
    private final int fields;
    private final ShuffleReadMetricsReporter metrics;
    private final byte[] buffer;

    private @Nullable Source source;
    private int from; // of the bytes in the buffer that are not consumed
    private int to;

    /**
     * @param streams of decoded bytes
     * @param fields how many columns a row has
     * @param bufferBytes to read at once, at least four
     */
    public RowIterator(
            Iterator<Tuple2<BlockId, InputStream>> streams,
            int fields,
            ShuffleReadMetricsReporter metrics,
            int bufferBytes) {
        this.streams = streams;
        this.fields = fields;
        this.metrics = metrics;
        this.buffer = new byte[Math.max(Integer.BYTES, bufferBytes)];
    }

    /** A stream that has another row. */
    private final class Source {
        final InputStream stream;
        final UnsafeRow row = new UnsafeRow(fields);
        final Tuple2<Object, Object> pair = new Tuple2<>(0, row);
        byte[] rowBytes = new byte[FIRST_ROW_BYTES];
        int size; // of the next row

        Source(InputStream stream) {
            this.stream = stream;
        }
    }

    @Override
    public boolean hasNext() {
        try {
            while (source == null && streams.hasNext()) {
                Source next = new Source(streams.next()._2());
                from = 0;
                to = 0;
                advance(next);
            }
        } catch (IOException e) {
            Platform.throwException(e);
        }
        return source != null;
    }

    @Override
    public Tuple2<Object, Object> next() {
        Source current = hasNext() ? source : null;
        if (current == null) {
            throw new NoSuchElementException("all rows have been read");
        }
        try {
            int size = current.size;
            if (current.rowBytes.length < size) {
                current.rowBytes = new byte[size];
            }
            int buffered = Math.min(size, to - from);
            System.arraycopy(buffer, from, current.rowBytes, 0, buffered);
            from += buffered;
            if (buffered < size
                    && current.stream.readNBytes(current.rowBytes, buffered, size - buffered) < size - buffered) {
                throw new EOFException("a shuffle block ended amid a row of " + size + " bytes");
            }
            current.row.pointTo(current.rowBytes, Platform.BYTE_ARRAY_OFFSET, size);
            advance(current);
        } catch (IOException e) {
            Platform.throwException(e);
        }
        metrics.incRecordsRead(1);
        return current.pair;
    }

    /** Reads the size of the next row, or closes the stream that has none. */
    private void advance(Source current) throws IOException {
        current.size = size(current.stream);
        if (current.size == END) {
            source = null;
            current.stream.close();
        } else {
            source = current;
        }
    }

    private int size(InputStream stream) throws IOException {
        while (to - from < Integer.BYTES) {
            System.arraycopy(buffer, from, buffer, 0, to - from);
            to -= from;
            from = 0;
            int read = stream.read(buffer, to, buffer.length - to);
            if (read < 0) {
                if (to > 0) {
                    throw new EOFException("a shuffle block ended amid the size of a row");
                }
                return END;
            }
            to += read;
        }
        int size = (int) INT_AT.get(buffer, from);
        if (size < 0) {
            throw new IOException("a shuffle block has a row of " + size + " bytes");
        }
        from += Integer.BYTES;
        return size;
    }
}
