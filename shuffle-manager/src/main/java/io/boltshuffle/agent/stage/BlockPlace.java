package io.boltshuffle.agent.stage;

import io.boltshuffle.agent.output.OutputBlock;

/** Where a block, or a part of one, is read from. */
public sealed interface BlockPlace permits FileRange, BlockPlace.InMemory {

    long bytes();

    /** Returns the place of a part; of the whole, this one. */
    BlockPlace part(long from, long length);

    /** In a published output, unless that goes before it is read: then the block's file has it. */
    record InMemory(OutputBlock block) implements BlockPlace {
        @Override
        public long bytes() {
            return block.bytes();
        }

        @Override
        public BlockPlace part(long from, long length) {
            return from == 0 && length == bytes() ? this : new InMemory(block.part(from, length));
        }
    }
}
