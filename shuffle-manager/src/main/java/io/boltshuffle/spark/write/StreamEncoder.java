package io.boltshuffle.spark.write;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.BlockId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encodes with the streams of Spark's codec and cipher. It opens a partition's stream when the partition's first bytes
 * have been gathered and keeps it open until the partition ends, so that readers need not understand several streams in
 * a row. A partition with few bytes has a stream at its end only, for a moment.
 *
 * <p><b>Ownership:</b> owns the streams, some of which hold native memory.
 */
final class StreamEncoder implements PartitionEncoder {
    private static final Logger log = LoggerFactory.getLogger(StreamEncoder.class);

    private static final ByteSink NOWHERE = (partition, bytes, offset, length) -> {};

    private final SerializerManager serializers;
    private final BlockId block;
    private final int gatherBytes;
    private final @Nullable OutputStream[] streams;
    private ByteSink sink = NOWHERE;

    /** @param block of the shuffle; says whether to compress */
    StreamEncoder(SerializerManager serializers, BlockId block, int partitions, int gatherBytes) {
        this.serializers = serializers;
        this.block = block;
        this.gatherBytes = gatherBytes;
        this.streams = new OutputStream[partitions];
    }

    /** Passes what a codec writes to the sink of the current call. */
    private final class Encoded extends OutputStream {
        private final int partition;

        Encoded(int partition) {
            this.partition = partition;
        }

        @Override
        public void write(int value) throws IOException {
            sink.append(partition, new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            sink.append(partition, bytes, offset, length);
        }
    }

    @Override
    public int gatherBytes() {
        return gatherBytes;
    }

    @Override
    public void encode(int partition, byte[] raw, int length, ByteSink destination) throws IOException {
        sink = destination;
        OutputStream stream = streams[partition];
        if (stream == null) {
            stream = serializers.wrapStream(block, new Encoded(partition));
            streams[partition] = stream;
        }
        stream.write(raw, 0, length);
    }

    @Override
    public void finish(int partition, byte @Nullable [] raw, int length, ByteSink destination) throws IOException {
        sink = destination;
        if (raw != null && length > 0) {
            encode(partition, raw, length, destination);
        }
        OutputStream stream = streams[partition];
        if (stream != null) {
            stream.close();
            streams[partition] = null;
        }
    }

    @Override
    public void discard() {
        sink = NOWHERE;
        for (int partition = 0; partition < streams.length; partition++) {
            OutputStream stream = streams[partition];
            streams[partition] = null;
            try {
                if (stream != null) {
                    stream.close();
                }
            } catch (IOException | RuntimeException e) {
                log.debug("the stream of partition {} could not be closed after a failure", partition, e);
            }
        }
    }
}
