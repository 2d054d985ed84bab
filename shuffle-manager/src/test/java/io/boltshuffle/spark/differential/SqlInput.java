package io.boltshuffle.spark.differential;

import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Product2;
import scala.Tuple2;

/**
 * SQL's rows, with a number as key.
 *
 * @param nulls how many of a hundred values are null
 * @param reused whether all rows are one object, as those of SQL's operators are
 */
record SqlInput(Records records, List<Column> columns, int nulls, boolean reused) implements Input {

    enum Column {
        LONG,
        DOUBLE,
        TEXT,
        BINARY,
        ARRAY,
        STRUCT
    }

    static SqlInput draw(Drawing drawing, Records records) {
        int columns = drawing.oneOf("columns", 1, 0, 3, 70);
        List<Column> schema = Stream.iterate(0, column -> column < Math.min(columns, 3), column -> column + 1)
                .map(column -> drawing.oneOf("column" + column, Column.values()))
                .toList();
        List<Column> all = Stream.iterate(0, column -> column < columns, column -> column + 1)
                .map(column -> schema.get(column % schema.size()))
                .toList();
        return new SqlInput(records, all, drawing.oneOf("nulls", 0, 30, 100), drawing.flag("rowReused"));
    }

    @Override
    public int count() {
        return records.count();
    }

    @Override
    public Iterator<Product2<Object, Object>> records(int map) {
        UnsafeRowWriter writer = new UnsafeRowWriter(columns.size());
        return Stream.iterate(0, index -> index < count(), index -> index + 1)
                .<Product2<Object, Object>>map(index -> {
                    RandomGenerator random = records.of(map, index);
                    int key = random.nextInt();
                    write(writer, random, Math.max(2, records.bytesOf(index) / Math.max(1, columns.size())), 1);
                    return new Tuple2<>(
                            key, reused ? writer.getRow() : writer.getRow().copy());
                })
                .iterator();
    }

    private void write(UnsafeRowWriter writer, RandomGenerator random, int bytes, int nesting) {
        writer.reset();
        fill(writer, random, bytes, nesting);
    }

    private void fill(UnsafeRowWriter writer, RandomGenerator random, int bytes, int nesting) {
        writer.zeroOutNullBytes();
        for (int column = 0; column < columns.size(); column++) {
            if (random.nextInt(100) < nulls) {
                writer.setNullAt(column);
                continue;
            }
            switch (columns.get(column)) {
                case LONG -> writer.write(column, random.nextLong());
                case DOUBLE -> writer.write(column, random.nextDouble());
                case TEXT -> writer.write(column, UTF8String.fromString(Records.text(random, bytes)));
                case BINARY -> writer.write(column, Records.bytes(random, bytes));
                case ARRAY -> {
                    int start = writer.cursor();
                    writer.write(UnsafeArrayData.fromPrimitiveArray(
                            random.longs(Math.max(1, bytes / Long.BYTES)).toArray()));
                    writer.setOffsetAndSizeFromPreviousCursor(column, start);
                }
                case STRUCT -> struct(writer, column, random, bytes, nesting);
            }
        }
    }

    /** A struct has the same columns, down to a depth. */
    private void struct(UnsafeRowWriter writer, int column, RandomGenerator random, int bytes, int nesting) {
        if (nesting == 0) {
            writer.setNullAt(column);
            return;
        }
        int start = writer.cursor();
        UnsafeRowWriter nested = new UnsafeRowWriter(writer, columns.size());
        nested.resetRowWriter();
        fill(nested, random, Math.max(2, bytes / columns.size()), nesting - 1);
        writer.setOffsetAndSizeFromPreviousCursor(column, start);
    }

    static byte[] bytes(UnsafeRow row) {
        byte[] bytes = new byte[row.getSizeInBytes()];
        row.writeToMemory(bytes, Platform.BYTE_ARRAY_OFFSET);
        return bytes;
    }
}
