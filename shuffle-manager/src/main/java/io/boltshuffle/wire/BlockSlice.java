package io.boltshuffle.wire;

/**
 * Bytes of one block of a fetch. Most blocks come as one slice; one that is larger than the transfer window comes as
 * several, in order.
 *
 * @param blockIndex position of the block in the fetch
 * @param blockOffset of the slice's first byte in the block
 * @param bytes of this slice
 * @param blockBytes of the whole block
 */
public record BlockSlice(int blockIndex, long blockOffset, long bytes, long blockBytes) {

    public BlockSlice {
        if (blockOffset < 0 || bytes < 0 || bytes > blockBytes - blockOffset) {
            throw new IllegalArgumentException(
                    "slice of " + bytes + " bytes at " + blockOffset + " in a block of " + blockBytes);
        }
    }

    /** Returns the same slice, of the block with this number. */
    public BlockSlice ofBlock(int index) {
        return new BlockSlice(index, blockOffset, bytes, blockBytes);
    }

    public boolean isWhole() {
        return bytes == blockBytes;
    }

    public boolean isLast() {
        return blockOffset + bytes == blockBytes;
    }

    void writeTo(WireWriter out) {
        out.number("block index", blockIndex, WireLimits.MAX_BLOCKS);
        out.number("block bytes", blockBytes, WireLimits.MAX_BLOCK_BYTES);
        out.number("block offset", blockOffset, blockBytes);
        out.number("slice bytes", bytes, blockBytes - blockOffset);
    }

    static BlockSlice read(WireReader in) throws WireException {
        int blockIndex = in.count("block index", WireLimits.MAX_BLOCKS);
        long blockBytes = in.number("block bytes", WireLimits.MAX_BLOCK_BYTES);
        long blockOffset = in.number("block offset", blockBytes);
        long bytes = in.number("slice bytes", blockBytes - blockOffset);
        return new BlockSlice(blockIndex, blockOffset, bytes, blockBytes);
    }
}
