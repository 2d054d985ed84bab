package io.boltshuffle.loop;

import io.boltshuffle.wire.WireException;
import java.nio.ByteBuffer;

/** Receives what comes out of a {@link FramePipe}. The pipe calls it on the loop. */
public interface FrameListener {

    /**
     * Receives a whole frame without its length prefix. The frame is valid until this method returns.
     *
     * @throws WireException if the frame breaks the protocol; the pipe then calls {@link #onGarbage} with the exception
     */
    void onFrame(ByteBuffer frame) throws WireException;

    /** The bytes that arrived do not follow the protocol. The pipe delivers nothing more; the listener closes it. */
    void onGarbage(WireException cause);

    /** The other end closed, or the connection failed. This is called once, and last. */
    void onClosed(String why);

    /**
     * This end failed and can send nothing more: the other end does not read, or something broke here. The other end's
     * socket may be intact. This is called once.
     *
     * @return whether the pipe stays open for what the other end still sends; if not, it closes and calls
     * {@link #onClosed}
     */
    default boolean onMuted(String why) {
        return false;
    }

    /**
     * Returns whether this process uses memory that the other end takes back when the socket ends. The socket then
     * outlives a loop that breaks.
     */
    default boolean usesMemoryOfOtherEnd() {
        return false;
    }
}
