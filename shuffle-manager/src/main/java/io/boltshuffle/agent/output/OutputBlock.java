package io.boltshuffle.agent.output;

import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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

    /** Bytes that lie together, by their offset within the output's memory. */
    private record Run(long offset, long bytes) {}

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
        return output.ports().open(output, window);
    }

    /** Returns where in {@link #memory} all its bytes lie together, if they do. */
    public OptionalLong offset() {
        List<Run> runs = runs();
        return runs.size() == 1 ? OptionalLong.of(runs.get(0).offset()) : OptionalLong.empty();
    }

    /**
     * Fills {@code into}, which has room for just these bytes.
     *
     * @param pieceBytes how much is copied at a time
     * @param onPiece sees each piece that was copied
     * @return whether the output was still there; if not, nothing was copied
     */
    public boolean copyTo(ByteBuffer into, int pieceBytes, Consumer<ByteBuffer> onPiece) {
        if (!hold()) {
            return false;
        }
        try {
            for (Run run : runs()) {
                copy(run, into, pieceBytes, onPiece);
            }
            return true;
        } finally {
            letGo();
        }
    }

    private void copy(Run run, ByteBuffer into, int pieceBytes, Consumer<ByteBuffer> onPiece) {
        long end = run.offset() + run.bytes();
        for (long position = run.offset(); position < end; ) {
            int length = (int) Math.min(pieceBytes, end - position);
            ByteBuffer piece = into.slice(into.position(), length);
            piece.put(output.lease().view(position, length));
            position += length;
            into.position(into.position() + length);
            onPiece.accept(piece.flip());
        }
    }

    /** Returns where the bytes lie, in their order. Between partitions there may be gaps. */
    private List<Run> runs() {
        List<Run> runs = new ArrayList<>(1);
        long skipped = from;
        long left = bytes;
        for (int reduce = startReduce; left > 0; reduce++) {
            long there = output.end(reduce) - output.start(reduce);
            if (there <= skipped) {
                skipped -= there;
                continue;
            }
            long offset = output.start(reduce) + skipped;
            long taken = Math.min(left, there - skipped);
            Run last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
            if (last != null && last.offset() + last.bytes() == offset) {
                runs.set(runs.size() - 1, new Run(last.offset(), last.bytes() + taken));
            } else {
                runs.add(new Run(offset, taken));
            }
            skipped = 0;
            left -= taken;
        }
        return runs;
    }
}
