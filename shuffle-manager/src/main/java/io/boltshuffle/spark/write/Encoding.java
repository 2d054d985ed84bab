package io.boltshuffle.spark.write;

import java.util.Optional;
import java.util.Set;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.io.LZ4CompressionCodec;
import org.apache.spark.io.SnappyCompressionCodec;
import org.apache.spark.io.ZStdCompressionCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says how this application's map output is encoded.
 *
 * @param gatherBytes how many bytes of a partition are gathered before they are encoded
 * @param known whether the codec is one that the plugin's writer may use
 */
record Encoding(Kind kind, int gatherBytes, boolean known) {
    enum Kind {
        PLAIN,
        LZ4,
        /**
         * Each partition has an open stream. The streams hold memory outside Spark's accounting, with Spark's writers
         * as with the plugin's.
         */
        STREAMS
    }

    private static final Logger log = LoggerFactory.getLogger(Encoding.class);

    private static final int GATHER_BYTES = 32 << 10;
    /**
     * The streams of these codecs are known to write on the thread that writes to them. LZF's may use other threads
     * from Spark 4.0 on ({@code spark.io.compression.lzf.parallel.enabled}). Long incompressible rows that any writer,
     * Spark's included, wrote with LZF cannot be read back, either.
     */
    private static final Set<Class<?>> KNOWN =
            Set.of(ZStdCompressionCodec.class, SnappyCompressionCodec.class, LZ4CompressionCodec.class);

    /**
     * Reads the encoding from the settings. It leaves a codec that cannot be created to Spark's writers, which say what
     * is wrong with it.
     */
    static Encoding of(SparkConf conf, boolean encrypted) {
        if (!conf.getBoolean("spark.shuffle.compress", true)) {
            return new Encoding(encrypted ? Kind.STREAMS : Kind.PLAIN, GATHER_BYTES, true);
        }
        Optional<CompressionCodec> codec = codec(conf);
        if (codec.isEmpty() || !KNOWN.contains(codec.get().getClass())) {
            return new Encoding(Kind.STREAMS, GATHER_BYTES, false);
        }
        if (codec.get() instanceof LZ4CompressionCodec && !encrypted) {
            long blockBytes = conf.getSizeAsBytes("spark.io.compression.lz4.blockSize", "32k");
            if (Lz4Encoder.canHave(blockBytes)) {
                return new Encoding(Kind.LZ4, (int) blockBytes, true);
            }
        }
        return new Encoding(Kind.STREAMS, GATHER_BYTES, true);
    }

    private static Optional<CompressionCodec> codec(SparkConf conf) {
        try {
            return Optional.of(CompressionCodec$.MODULE$.createCodec(conf));
        } catch (RuntimeException e) {
            log.debug("Spark cannot make the codec", e);
            return Optional.empty();
        }
    }
}
