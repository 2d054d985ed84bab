package io.boltshuffle.wire;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a byte stream into frames: a four-byte length, then that many bytes.
 *
 * <p><b>Invariant:</b> holds at most one frame of {@link WireLimits#MAX_FRAME_BYTES}, and memory only for bytes that
 * arrived, never for a length that was merely announced.
 *
 * <p><b>Threads:</b> confined to the reader of the stream.
 */
public final class FrameAssembler {

    private static final int INITIAL_BYTES = 4096;

    private final IntFunction<byte[]> memory;
    private byte[] held;
    private int heldBytes;

    public FrameAssembler() {
        this(byte[]::new);
    }

    /** @param memory returns an array of the given length */
    public FrameAssembler(IntFunction<byte[]> memory) {
        this.memory = memory;
        this.held = memory.apply(INITIAL_BYTES);
    }

    /**
     * Takes bytes up to the end of the next frame.
     *
     * @return a view of the frame, valid until the next call; null if {@code in} is used up and no frame is whole
     */
    public @Nullable ByteBuffer next(ByteBuffer in) throws WireException {
        if (!take(in, Integer.BYTES)) {
            return null;
        }
        int length = ByteBuffer.wrap(held).getInt();
        if (length < 1 || length > WireLimits.MAX_FRAME_BYTES) {
            throw new WireException(
                    "frame of " + length + " bytes announced, allowed are 1 to " + WireLimits.MAX_FRAME_BYTES);
        }
        if (!take(in, Integer.BYTES + length)) {
            return null;
        }
        heldBytes = 0;
        return ByteBuffer.wrap(held, Integer.BYTES, length).slice();
    }

    /** Returns true if the stream may end here without cutting a frame. */
    public boolean atFrameBorder() {
        return heldBytes == 0;
    }

    private boolean take(ByteBuffer in, int wanted) {
        int taken = Math.min(wanted - heldBytes, in.remaining());
        if (taken > 0) {
            if (heldBytes + taken > held.length) {
                byte[] larger = memory.apply(Math.max(heldBytes + taken, Math.min(wanted, 2 * held.length)));
                System.arraycopy(held, 0, larger, 0, heldBytes);
                held = larger;
            }
            in.get(held, heldBytes, taken);
            heldBytes += taken;
        }
        return heldBytes >= wanted;
    }
}
