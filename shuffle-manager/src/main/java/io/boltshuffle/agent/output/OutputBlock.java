package io.boltshuffle.agent.output;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * A block, or a part of one, that lay in a published output when it was looked up.
 *
 * @param offset within the output
 */
public record OutputBlock(Outputs outputs, Output output, long offset, long bytes) {

    /** Returns a part of this one. */
    public OutputBlock part(long from, long length) {
        if (from < 0 || length < 0 || length > bytes - from) {
            throw new IndexOutOfBoundsException(length + " bytes at " + from + " of a block of " + bytes);
        }
        return new OutputBlock(outputs, output, offset + from, length);
    }

    /**
     * Fills {@code into}, which has room for just these bytes.
     *
     * @param pieceBytes how much is copied at a time
     * @param onPiece sees each piece that was copied
     * @return whether the output was still there; if not, nothing was copied
     */
    public boolean copyTo(ByteBuffer into, int pieceBytes, Consumer<ByteBuffer> onPiece) {
        if (!outputs.hold(output)) {
            return false;
        }
        try {
            long position = offset;
            while (into.hasRemaining()) {
                int length = Math.min(pieceBytes, into.remaining());
                ByteBuffer piece = into.slice(into.position(), length);
                piece.put(output.lease().view(position, length));
                position += length;
                into.position(into.position() + length);
                onPiece.accept(piece.flip());
            }
            return true;
        } finally {
            outputs.letGo(output);
        }
    }
}
