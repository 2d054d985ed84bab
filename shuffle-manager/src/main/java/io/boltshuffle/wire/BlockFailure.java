package io.boltshuffle.wire;

/**
 * One block that does not come.
 *
 * @param blockIndex position of the block in the fetch or pull
 */
public record BlockFailure(int blockIndex, FailureReason reason) {

    void writeTo(WireWriter out) {
        out.number("block index", blockIndex, WireLimits.MAX_BLOCKS);
        reason.writeTo(out);
    }

    static BlockFailure read(WireReader in) throws WireException {
        return new BlockFailure(in.count("block index", WireLimits.MAX_BLOCKS), FailureReason.read(in));
    }
}
