package io.boltshuffle.wire;

import java.util.List;

/**
 * The blocks that one agent wants from another.
 *
 * @param application the application that owns the blocks
 * @param executor the executor that wrote them
 * @param timeoutMillis after this long the puller gives up
 * @param windowBytes how much may be staged at most; at least one frame
 * @param firstOffset where to start in the first block; the others are wanted from their beginning
 */
public record PullRequest(
        String application,
        String executor,
        long timeoutMillis,
        long windowBytes,
        long firstOffset,
        List<BlockRange> blocks) {

    /** Returns the same with so much time left. */
    public PullRequest within(long leftMillis) {
        return new PullRequest(application, executor, leftMillis, windowBytes, firstOffset, blocks);
    }

    void writeTo(WireWriter out) {
        out.text("application", application, WireLimits.MAX_NAME_BYTES);
        out.text("executor", executor, WireLimits.MAX_NAME_BYTES);
        out.number("timeout", timeoutMillis, WireLimits.MAX_TIMEOUT_MILLIS);
        out.number("window", windowBytes, WireLimits.MAX_SLAB_BYTES);
        out.number("first offset", firstOffset, WireLimits.MAX_BLOCK_BYTES);
        out.list("blocks", blocks, WireLimits.MAX_BLOCKS, (to, block) -> block.writeTo(to));
    }

    static PullRequest read(WireReader in) throws WireException {
        return new PullRequest(
                in.name("application"),
                in.name("executor"),
                in.number("timeout", WireLimits.MAX_TIMEOUT_MILLIS),
                in.number("window", WireLimits.MAX_SLAB_BYTES),
                in.number("first offset", WireLimits.MAX_BLOCK_BYTES),
                in.list("blocks", WireLimits.MAX_BLOCKS, BlockRange::read));
    }
}
