package io.boltshuffle.integration.othermanager;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.reflect.ClassTag;

/** Lays batches of one column of numbers down; keys, which are numbers of partitions, go with them. */
public final class BatchSerializer extends Serializer implements Serializable {
    private static final long serialVersionUID = 1;

    /** Makes a batch of consecutive numbers. */
    public static ColumnarBatch batch(long first, int rows) {
        OnHeapColumnVector numbers = new OnHeapColumnVector(rows, DataTypes.LongType);
        for (int row = 0; row < rows; row++) {
            numbers.putLong(row, first + row);
        }
        return new ColumnarBatch(new ColumnVector[] {numbers}, rows);
    }

    @Override
    public SerializerInstance newInstance() {
        return new Instance();
    }

    private static final class Instance extends SerializerInstance {
        @Override
        public SerializationStream serializeStream(OutputStream stream) {
            return new Writing(new DataOutputStream(stream));
        }

        @Override
        public DeserializationStream deserializeStream(InputStream stream) {
            return new Reading(new DataInputStream(stream));
        }

        @Override
        public <T> ByteBuffer serialize(T value, ClassTag<T> type) {
            throw new UnsupportedOperationException("a shuffle serializes streams");
        }

        @Override
        public <T> T deserialize(ByteBuffer bytes, ClassTag<T> type) {
            throw new UnsupportedOperationException("a shuffle deserializes streams");
        }

        @Override
        public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> type) {
            throw new UnsupportedOperationException("a shuffle deserializes streams");
        }
    }

    private static final class Writing extends SerializationStream {
        private final DataOutputStream out;

        Writing(DataOutputStream out) {
            this.out = out;
        }

        @Override
        public <T> SerializationStream writeObject(T object, ClassTag<T> type) {
            try {
                if (object instanceof ColumnarBatch batch) {
                    out.writeInt(batch.numRows());
                    for (int row = 0; row < batch.numRows(); row++) {
                        out.writeLong(batch.column(0).getLong(row));
                    }
                } else {
                    out.writeInt((Integer) object);
                }
                return this;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void flush() {
            try {
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try {
                out.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Spark's iterator takes the end of the file for the end of the records, and reads a key and a value in turn. */
    private static final class Reading extends DeserializationStream {
        private final DataInputStream in;
        private boolean isValueNext;

        Reading(DataInputStream in) {
            this.in = in;
        }

        @Override
        @SuppressWarnings("unchecked") // what was written
        public <T> T readObject(ClassTag<T> type) {
            boolean isValue = isValueNext;
            isValueNext = !isValue;
            try {
                return (T) (isValue ? batch() : (Object) in.readInt());
            } catch (EOFException e) {
                throw sneaky(e);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private ColumnarBatch batch() throws IOException {
            int rows = in.readInt();
            OnHeapColumnVector numbers = new OnHeapColumnVector(rows, DataTypes.LongType);
            for (int row = 0; row < rows; row++) {
                numbers.putLong(row, in.readLong());
            }
            return new ColumnarBatch(new ColumnVector[] {numbers}, rows);
        }

        /** Scala's methods throw what they do not declare. */
        @SuppressWarnings("unchecked") // erased
        private static <E extends Throwable> RuntimeException sneaky(Throwable e) throws E {
            throw (E) e;
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
