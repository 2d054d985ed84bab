package io.boltshuffle.loop;

import io.boltshuffle.wire.WireException;
import java.nio.ByteBuffer;

/** Told what comes out of a {@link FramePipe}. Called on the loop. */
public interface FrameListener {

    /**
     * A whole frame, without its length; valid until this returns.
     *
     * @throws WireException if it breaks the protocol; {@link #onGarbage} is then called with it
     */
    void onFrame(ByteBuffer frame) throws WireException;

    /** What came in is not the protocol. Nothing more will be delivered; the listener closes the pipe. */
    void onGarbage(WireException cause);

    /** The other end closed, or the connection failed. Told once, and last. */
    void onClosed(String why);

    /**
     * This end failed and can send nothing more: the other end does not read, or something here broke. The other end's
     * socket may be as good as ever. Told once.
     *
     * @return whether the pipe stays open for what the other end still says; if not, it closes, and {@link #onClosed}
     * is told
     */
    default boolean onMuted(String why) {
        return false;
    }

    /**
     * Whether this process uses memory that the other end takes back as the socket ends: then it outlives a loop that
     * breaks.
     */
    default boolean usesMemoryOfOtherEnd() {
        return false;
    }
}
