package io.boltshuffle.loop;

import java.nio.ByteBuffer;

/** One end of a connection that carries whole frames. Confined to its loop. */
public interface FramePipe {

    /** Queues a frame, length prefix included. Frames for a closed pipe are dropped. */
    void send(ByteBuffer frame);

    /**
     * As {@link #send}, of what this end wants for itself and bounds itself. It does not count as an answer, even if it
     * is sent while a frame is delivered: two ends that want much of each other must both read on.
     */
    default void ask(ByteBuffer frame) {
        send(frame);
    }

    /**
     * How much memory frames may take that wait because the other end does not read. Beyond it the connection fails.
     * More is allowed where this is never called.
     */
    void maxQueuedBytes(long bytes);

    /** Closes at once. {@link FrameListener#onClosed} is not told: the caller knows. */
    void close();

    /** Closes once everything queued is sent; what comes in until then is dropped. */
    void closeAfterSending();
}
