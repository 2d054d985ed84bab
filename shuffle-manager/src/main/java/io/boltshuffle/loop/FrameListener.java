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
}
