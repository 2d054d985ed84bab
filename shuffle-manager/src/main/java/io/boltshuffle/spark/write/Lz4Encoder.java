package io.boltshuffle.spark.write;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;
import org.jspecify.annotations.Nullable;

/**
 * Writes, byte for byte, the blocks that Spark's LZ4 codec writes, from the array in which a partition's bytes were
 * gathered. The codec's own stream has two arrays of a block's size for each partition; this class has one for all.
 *
 * <p>The format is that of {@code net.jpountz.lz4.LZ4BlockOutputStream}: a header of 21 bytes (magic, token, compressed
 * and original length, checksum) before each block, and a header of an empty block at the end. A block may be shorter
 * than the block size.
 */
final class Lz4Encoder implements PartitionEncoder {
    private static final byte[] MAGIC = "LZ4Block".getBytes(StandardCharsets.US_ASCII);
    private static final int TOKEN_AT = MAGIC.length;
    private static final int COMPRESSED_LENGTH_AT = TOKEN_AT + 1;
    private static final int LENGTH_AT = COMPRESSED_LENGTH_AT + Integer.BYTES;
    private static final int CHECKSUM_AT = LENGTH_AT + Integer.BYTES;
    private static final int HEADER_BYTES = CHECKSUM_AT + Integer.BYTES;
    private static final int RAW = 0x10;
    private static final int LZ4 = 0x20;
    private static final int LEVEL_BASE = 10;
    private static final int SEED = 0x9747b28c;
    /** The checksum that the codec uses drops the upper four bits of a hash. */
    private static final int CHECKSUM_MASK = 0xFFFFFFF;

    private static final VarHandle INT_AT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final LZ4Factory FACTORY = LZ4Factory.fastestInstance();
    private static final XXHashFactory HASHES = XXHashFactory.fastestInstance();

    private final int blockBytes;
    private final int level;
    private final LZ4Compressor compressor = FACTORY.fastCompressor();
    private final XXHash32 hash = HASHES.hash32();
    private final byte[] block;
    private final BitSet begun = new BitSet();

    /** @param blockBytes the codec's {@code spark.io.compression.lz4.blockSize} */
    Lz4Encoder(int blockBytes) {
        this.blockBytes = blockBytes;
        this.level = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(blockBytes - 1) - LEVEL_BASE);
        this.block = new byte[HEADER_BYTES + compressor.maxCompressedLength(blockBytes)];
        System.arraycopy(MAGIC, 0, block, 0, MAGIC.length);
    }

    /** Returns whether the format allows blocks of this size. Spark's codec fails if it does not. */
    static boolean canHave(long blockBytes) {
        return blockBytes >= 64 && blockBytes <= (1L << (LEVEL_BASE + 15));
    }

    @Override
    public int gatherBytes() {
        return blockBytes;
    }

    @Override
    public void encode(int partition, byte[] raw, int length, ByteSink sink) throws IOException {
        if (length == 0) {
            return;
        }
        begun.set(partition);
        int compressed = compressor.compress(raw, 0, length, block, HEADER_BYTES);
        int method = LZ4;
        if (compressed >= length) {
            method = RAW;
            compressed = length;
            System.arraycopy(raw, 0, block, HEADER_BYTES, length);
        }
        header(method, compressed, length, hash.hash(raw, 0, length, SEED) & CHECKSUM_MASK);
        sink.append(partition, block, 0, HEADER_BYTES + compressed);
    }

    @Override
    public void finish(int partition, byte @Nullable [] raw, int length, ByteSink sink) throws IOException {
        if (raw != null) {
            encode(partition, raw, length, sink);
        }
        if (begun.get(partition)) {
            header(RAW, 0, 0, 0);
            sink.append(partition, block, 0, HEADER_BYTES);
        }
    }

    private void header(int method, int compressed, int length, int checksum) {
        block[TOKEN_AT] = (byte) (method | level);
        INT_AT.set(block, COMPRESSED_LENGTH_AT, compressed);
        INT_AT.set(block, LENGTH_AT, length);
        INT_AT.set(block, CHECKSUM_AT, checksum);
    }

    @Override
    public void discard() {}
}
