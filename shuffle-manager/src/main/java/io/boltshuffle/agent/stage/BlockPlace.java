package io.boltshuffle.agent.stage;

import io.boltshuffle.agent.output.OutputBlock;

/** Where a block, or a part of one, is read from. */
public sealed interface BlockPlace {

    long bytes();

    /** Returns the place of a part. */
    BlockPlace part(long from, long length);

    /** In a file of Spark's. */
    record InFile(FileRange range) implements BlockPlace {
        @Override
        public long bytes() {
            return range.bytes();
        }

        @Override
        public BlockPlace part(long from, long length) {
            return new InFile(range.part(from, length));
        }

        @Override
        public String toString() {
            return range.file() + " at " + range.offset();
        }
    }

    /** In a published output, unless that goes before it is read: then the block's file has it. */
    record InMemory(OutputBlock block) implements BlockPlace {
        @Override
        public long bytes() {
            return block.bytes();
        }

        @Override
        public BlockPlace part(long from, long length) {
            return new InMemory(block.part(from, length));
        }
    }
}
