package io.boltshuffle.spark.write;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Serializes the records of all partitions by one stream, as Spark's serialized writer does.
 *
 * <p><b>Invariant:</b> each record is flushed before the next one begins, so its bytes lie in the buffer of its
 * partition, and in no other. That holds for serializers whose records may be put in another order
 * ({@code supportsRelocationOfSerializedObjects}) and whose streams keep nothing back when they are flushed. A record
 * of which no byte has come then is refused: its bytes would come with another record, or not at all. What a stream
 * writes before its first record and after its last one belongs to no partition. No reader misses it, because records
 * of such a serializer can be read one by one; Spark's writer drops it, too.
 *
 * <p><b>Threads:</b> confined to the task's.
 */
final class SharedStream implements Closeable {
    private static final ClassTag<Object> OBJECT = ClassTag$.MODULE$.Object();

    private final PartitionBuffers buffers;
    private final SerializationStream stream;
    private int partition;
    private boolean inRecord;
    private long recordBytes;

    SharedStream(SerializerInstance serializer, PartitionBuffers buffers) {
        this.buffers = buffers;
        this.stream = serializer.serializeStream(new Serialized());
    }

    private final class Serialized extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            if (inRecord) {
                recordBytes++;
                buffers.write(partition, value);
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (inRecord) {
                recordBytes += length;
                buffers.write(partition, bytes, offset, length);
            }
        }
    }

    /** @param partition one that exists */
    void write(int partition, Object key, Object value) {
        this.partition = partition;
        recordBytes = 0;
        inRecord = true;
        stream.writeKey(key, OBJECT);
        stream.writeValue(value, OBJECT);
        stream.flush();
        inRecord = false;
        if (recordBytes == 0) {
            throw new IllegalStateException(
                    stream.getClass().getName() + " had written nothing of a record after a flush, so its serializer"
                            + " does not support relocation of serialized objects, though it says so");
        }
    }

    /** Gives back what the stream borrowed. Its bytes belong to no record. */
    @Override
    public void close() {
        inRecord = false;
        stream.close();
    }
}
