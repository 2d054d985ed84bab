package io.boltshuffle.spark.write;

import java.util.Map;
import java.util.Objects;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.io.LZ4CompressionCodec;
import org.apache.spark.io.SnappyCompressionCodec;
import org.apache.spark.io.ZStdCompressionCodec;

/**
 * How this application's map output is encoded.
 *
 * @param gatherBytes how many bytes of a partition are gathered before they are encoded
 * @param streamBytes what an open stream of a partition holds, outside Spark's accounting, with Spark's writers as with ours
 */
record Encoding(Kind kind, int gatherBytes, long streamBytes) {
    enum Kind {
        PLAIN,
        LZ4,
        STREAMS
    }

    /**
     * Of a codec of which it is not known that its streams write from the thread that writes to them. LZF's may do so from
     * Spark 4.0 on ({@code spark.io.compression.lzf.parallel.enabled}); nor can long incompressible rows be read back that
     * were written by any writer, Spark's included.
     */
    private static final long UNKNOWN_STREAM_BYTES = Long.MAX_VALUE;

    private static final int GATHER_BYTES = 32 << 10;
    private static final long CIPHER_BYTES = 32 << 10;
    private static final long SERIALIZER_BYTES = 16 << 10;
    /** Estimated from what the codecs' streams allocate at Spark's default levels and block sizes. */
    private static final Map<Class<?>, Long> STREAM_BYTES = Map.of(
            ZStdCompressionCodec.class, 1536L << 10,
            SnappyCompressionCodec.class, 96L << 10,
            LZ4CompressionCodec.class, 72L << 10);

    static Encoding of(SparkConf conf, boolean encrypted) {
        boolean compressed = conf.getBoolean("spark.shuffle.compress", true);
        if (!compressed) {
            return encrypted
                    ? new Encoding(Kind.STREAMS, GATHER_BYTES, CIPHER_BYTES)
                    : new Encoding(Kind.PLAIN, GATHER_BYTES, 0);
        }
        CompressionCodec codec = CompressionCodec$.MODULE$.createCodec(conf);
        if (!STREAM_BYTES.containsKey(codec.getClass())) {
            return new Encoding(Kind.STREAMS, GATHER_BYTES, UNKNOWN_STREAM_BYTES);
        }
        long blockBytes = conf.getSizeAsBytes("spark.io.compression.lz4.blockSize", "32k");
        if (codec instanceof LZ4CompressionCodec && !encrypted && Lz4Encoder.canHave(blockBytes)) {
            return new Encoding(Kind.LZ4, (int) blockBytes, 0);
        }
        long streamBytes = Objects.requireNonNull(STREAM_BYTES.get(codec.getClass()));
        return new Encoding(Kind.STREAMS, GATHER_BYTES, streamBytes + (encrypted ? CIPHER_BYTES : 0));
    }

    /** Whether the codec is one that our writer may use. */
    boolean known() {
        return streamBytes != UNKNOWN_STREAM_BYTES;
    }

    /** What a partition may hold, until it is spilled or laid down. */
    long partitionBytes(boolean oneSerializerForAll) {
        return gatherBytes + streamBytes + (oneSerializerForAll ? 0 : SERIALIZER_BYTES);
    }
}
