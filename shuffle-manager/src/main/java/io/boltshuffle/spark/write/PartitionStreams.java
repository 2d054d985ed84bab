package io.boltshuffle.spark.write;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a serialization stream for each partition that has a record, for serializers whose streams remember what they
 * have written.
 *
 * <p><b>Ownership:</b> owns the streams.
 */
final class PartitionStreams implements Closeable {
    private static final Logger log = LoggerFactory.getLogger(PartitionStreams.class);

    private final SerializerInstance serializer;
    private final PartitionBuffers buffers;
    private final @Nullable SerializationStream[] streams;

    PartitionStreams(SerializerInstance serializer, PartitionBuffers buffers, int partitions) {
        this.serializer = serializer;
        this.buffers = buffers;
        this.streams = new SerializationStream[partitions];
    }

    private final class Serialized extends OutputStream {
        private final int partition;

        Serialized(int partition) {
            this.partition = partition;
        }

        @Override
        public void write(int value) throws IOException {
            buffers.write(partition, value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            buffers.write(partition, bytes, offset, length);
        }
    }

    SerializationStream of(int partition) {
        SerializationStream stream = streams[partition];
        if (stream == null) {
            stream = serializer.serializeStream(new Serialized(partition));
            streams[partition] = stream;
        }
        return stream;
    }

    /** Ends all streams; their remaining bytes are in the buffers then. */
    void finish() {
        for (int partition = 0; partition < streams.length; partition++) {
            SerializationStream stream = streams[partition];
            if (stream != null) {
                stream.flush(); // Kryo's does not flush what is below when it is closed
                stream.close();
                streams[partition] = null;
            }
        }
    }

    /** Gives back, after a failure, the memory that the streams borrowed, and drops their remaining bytes. */
    @Override
    public void close() {
        if (Arrays.stream(streams).allMatch(Objects::isNull)) {
            return;
        }
        buffers.dropWhatFollows();
        for (int partition = 0; partition < streams.length; partition++) {
            SerializationStream stream = streams[partition];
            streams[partition] = null;
            try {
                if (stream != null) {
                    stream.close();
                }
            } catch (Exception e) {
                log.debug("the stream of partition {} could not be closed after a failure", partition, e);
            }
        }
    }
}
