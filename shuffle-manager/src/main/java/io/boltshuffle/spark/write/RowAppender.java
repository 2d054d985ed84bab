package io.boltshuffle.spark.write;

import io.boltshuffle.spark.rows.RowFormat;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.AccumulatorV2;
import org.jspecify.annotations.Nullable;

/**
 * Puts SQL's rows into the buffers of their partitions as Spark's serializer of rows does, without a stream between.
 *
 * <p><b>Threads:</b> confined to the task's.
 */
final class RowAppender {
    private static final VarHandle INT_AT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    /** Rows whose bytes are added to SQL's metric at once: a task that runs shows how far it has come. */
    private static final int COUNTED_AT_ONCE = 1 << 10;
    /** The bytes that are copied at once of a row that does not lie in an array of bytes. */
    private static final int PIECE_BYTES = 4 << 10;

    private final PartitionBuffers buffers;
    private final @Nullable AccumulatorV2<Object, Object> dataSize;
    private final byte[] header = new byte[Integer.BYTES];
    private final byte[] piece = new byte[PIECE_BYTES];
    private int uncountedRows;
    private long uncountedBytes;

    RowAppender(PartitionBuffers buffers, RowFormat format) {
        this.buffers = buffers;
        this.dataSize = format.dataSize();
    }

    /** @param value an UnsafeRow: SQL's exchange makes no other */
    void append(int partition, Object value) throws IOException {
        buffers.giveUpIfWanted();
        UnsafeRow row = (UnsafeRow) value;
        int size = row.getSizeInBytes();
        int at = buffers.reserve(partition, Math.addExact(Integer.BYTES, size));
        if (at >= 0) {
            put(row, size, buffers.reserved(partition), at);
        } else {
            writeInPieces(partition, row, size);
        }
        uncountedBytes += size;
        if (++uncountedRows == COUNTED_AT_ONCE) {
            count();
        }
    }

    private static void put(UnsafeRow row, int size, byte[] target, int at) {
        INT_AT.set(target, at, size);
        if (row.getBaseObject() instanceof byte[] bytes) {
            System.arraycopy(bytes, offset(row), target, at + Integer.BYTES, size);
        } else {
            row.writeToMemory(target, (long) Platform.BYTE_ARRAY_OFFSET + at + Integer.BYTES);
        }
    }

    /** Copies a row in pieces: it may have any size, and the memory of a whole copy would not be accounted for. */
    private void writeInPieces(int partition, UnsafeRow row, int size) throws IOException {
        INT_AT.set(header, 0, size);
        buffers.write(partition, header, 0, Integer.BYTES);
        if (row.getBaseObject() instanceof byte[] bytes) {
            buffers.write(partition, bytes, offset(row), size);
            return;
        }
        int length;
        for (int done = 0; done < size; done += length) {
            length = Math.min(PIECE_BYTES, size - done);
            Platform.copyMemory(
                    row.getBaseObject(), row.getBaseOffset() + done, piece, Platform.BYTE_ARRAY_OFFSET, length);
            buffers.write(partition, piece, 0, length);
        }
    }

    private static int offset(UnsafeRow row) {
        return (int) (row.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
    }

    /** Adds to SQL's metric what has not been added yet. */
    void count() {
        if (dataSize != null) {
            dataSize.add(uncountedBytes);
        }
        uncountedBytes = 0;
        uncountedRows = 0;
    }
}
