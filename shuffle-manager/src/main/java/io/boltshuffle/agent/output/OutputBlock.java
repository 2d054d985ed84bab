package io.boltshuffle.agent.output;

import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A block, or a part of one, that lay in a published output when it was looked up.
 *
 * @param startReduce the first of its partitions
 * @param endReduce after the last of them
 * @param from how many bytes of these partitions come before it
 */
public record OutputBlock(Outputs outputs, Output output, int startReduce, int endReduce, long from, long bytes) {

    /** Returns a part of this one. */
    public OutputBlock part(long start, long length) {
        if (start < 0 || length < 0 || length > bytes - start) {
            throw new IndexOutOfBoundsException(length + " bytes at " + start + " of a block of " + bytes);
        }
        return new OutputBlock(outputs, output, startReduce, endReduce, from + start, length);
    }

    /**
     * Keeps the output where it is, so that it can be sent from there, until {@link #letGo}.
     *
     * @return false if it is not served any more: nothing is held then
     */
    public boolean hold() {
        return outputs.hold(output);
    }

    /** Ends one {@link #hold}. */
    public void letGo() {
        outputs.letGo(output);
    }

    /** Returns the memory that the output lies in. While it is held, that stays the output's. */
    public Lease memory() {
        return output.lease();
    }

    /**
     * Lets all peers of a port read the whole output, which must be held. They may stay so until it ends: each of them
     * proved its application.
     *
     * @return its memory as they read it; empty if the port refuses
     */
    public Optional<RegisteredRange> openTo(MemoryWindow.OfPort window) {
        return output.openTo(window);
    }

    /** Returns where in {@link #memory} all its bytes lie together, if they do. */
    public OptionalLong offset() {
        Runs runs = new Runs();
        boolean isTogether = runs.next() && runs.bytes == bytes;
        return isTogether ? OptionalLong.of(runs.offset) : OptionalLong.empty();
    }

    /**
     * Fills {@code into}, which has room for just these bytes.
     *
     * @param pieceBytes how much is copied at a time
     * @param onPiece sees each piece that was copied, from the buffer's position to its limit
     * @return whether the output was still there; if not, nothing was copied
     */
    public boolean copyTo(ByteBuffer into, int pieceBytes, Consumer<ByteBuffer> onPiece) {
        if (!hold()) {
            return false;
        }
        try {
            for (Runs runs = new Runs(); runs.next(); ) {
                copy(runs, into, pieceBytes, onPiece);
            }
            return true;
        } finally {
            letGo();
        }
    }

    private void copy(Runs run, ByteBuffer into, int pieceBytes, Consumer<ByteBuffer> onPiece) {
        int room = into.limit();
        for (long copied = 0; copied < run.bytes; ) {
            int length = (int) Math.min(pieceBytes, run.bytes - copied);
            int from = into.position();
            output.copy(run.offset + copied, into, length);
            onPiece.accept(into.limit(from + length));
            into.limit(room).position(from + length);
            copied += length;
        }
    }

    /** Goes through the bytes in their order, by runs that lie together. Between partitions there may be gaps. */
    private final class Runs {
        private int reduce = startReduce;
        private long skipped = from;
        private long left = OutputBlock.this.bytes;
        /** Where the run lies, within the output's memory. */
        private long offset;

        private long bytes;

        /** Moves on to the next run; false if there is none. */
        boolean next() {
            bytes = 0;
            while (left > 0) {
                long there = output.end(reduce) - output.start(reduce);
                if (there > skipped) {
                    long start = output.start(reduce) + skipped;
                    if (bytes > 0 && offset + bytes != start) {
                        return true;
                    }
                    offset = bytes > 0 ? offset : start;
                    long taken = Math.min(left, there - skipped);
                    bytes += taken;
                    left -= taken;
                    skipped = 0;
                } else {
                    skipped -= there;
                }
                reduce++;
            }
            return bytes > 0;
        }
    }
}
