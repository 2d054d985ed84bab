package io.boltshuffle.spark.write;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
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
    /** The most that a stream keeps before it writes anything: Spark's buffer of 32 KiB, and a block of zstd. */
    private static final long WITHHELD_BYTES = 160 << 10;

    private static final ByteSink NOWHERE = (partition, bytes, offset, length) -> {};

    private final SerializerManager serializers;
    private final BlockId block;
    private final int gatherBytes;
    private final @Nullable OutputStream[] streams;
    private final long[] put; // into the stream of each partition
    private ByteSink sink = NOWHERE;

    /**
     * Creates the encoder.
     *
     * @param block of the shuffle; says whether to compress
     */
    StreamEncoder(SerializerManager serializers, BlockId block, int partitions, int gatherBytes) {
        this.serializers = serializers;
        this.block = block;
        this.gatherBytes = gatherBytes;
        this.streams = new OutputStream[partitions];
        this.put = new long[partitions];
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

    /** Also what was put into a stream and not yet out of it counts, at its size before compression. */
    @Override
    public long withheldBytes() {
        return Arrays.stream(put).map(bytes -> Math.min(bytes, WITHHELD_BYTES)).sum();
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
        put[partition] += length;
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
