package io.boltshuffle.agent.live;

import io.boltshuffle.wire.BlockRange;

/** A process of this host that has blocks in its memory. Called on the agent's loop. */
public interface BlockOwner {

    /**
     * Asks for a block. The owner answers through {@link LiveBlocks}, by its size or a failure.
     *
     * @param maxBytes a larger block is not wanted
     * @param timeoutMillis after this long the block is not wanted any more
     */
    void layOut(long askId, BlockRange block, long maxBytes, long timeoutMillis);

    /** Lends memory for the block. The owner writes it until it answers once more. */
    void layHere(long askId, long slabOffset, long bytes);

    /** The block is not wanted any more; the owner need not answer. */
    void unwanted(long askId);
}
