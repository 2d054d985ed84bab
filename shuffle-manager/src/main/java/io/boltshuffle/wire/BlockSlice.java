package io.boltshuffle.wire;

/**
 * Bytes of one block of a fetch. Most blocks come as one slice; one that is larger than the transfer window comes as
 * several, in order.
 *
 * @param blockIndex position of the block in the fetch
 * @param blockOffset of the slice's first byte in the block
 * @param bytes of this slice
 * @param blockBytes of the whole block
 * @param gapBytes how many bytes of memory lie unused between the slice before it and this one: it begins a frame then
 */
public record BlockSlice(int blockIndex, long blockOffset, long bytes, long blockBytes, int gapBytes) {

    private static final int MAX_GAP_BYTES = WireLimits.FRAME_BYTES - 1;

    public BlockSlice {
        if (gapBytes < 0 || gapBytes > MAX_GAP_BYTES) {
            throw new IllegalArgumentException("a gap of " + gapBytes + " bytes before a slice");
        }
        if (blockOffset < 0 || bytes < 0 || bytes > blockBytes - blockOffset) {
            throw new IllegalArgumentException(
                    "slice of " + bytes + " bytes at " + blockOffset + " in a block of " + blockBytes);
        }
    }

    /** Creates a slice that follows the one before it at once. */
    public BlockSlice(int blockIndex, long blockOffset, long bytes, long blockBytes) {
        this(blockIndex, blockOffset, bytes, blockBytes, 0);
    }

    /** Returns the same slice, of the block with this number. */
    public BlockSlice ofBlock(int index) {
        return new BlockSlice(index, blockOffset, bytes, blockBytes, gapBytes);
    }

    /** Returns the same slice, so many bytes behind the one before it. */
    public BlockSlice after(int gap) {
        return new BlockSlice(blockIndex, blockOffset, bytes, blockBytes, gap);
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
        out.number("gap", gapBytes, MAX_GAP_BYTES);
    }

    static BlockSlice read(WireReader in) throws WireException {
        int blockIndex = in.count("block index", WireLimits.MAX_BLOCKS);
        long blockBytes = in.number("block bytes", WireLimits.MAX_BLOCK_BYTES);
        long blockOffset = in.number("block offset", blockBytes);
        long bytes = in.number("slice bytes", blockBytes - blockOffset);
        return new BlockSlice(blockIndex, blockOffset, bytes, blockBytes, in.count("gap", MAX_GAP_BYTES));
    }
}
