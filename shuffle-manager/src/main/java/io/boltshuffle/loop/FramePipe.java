package io.boltshuffle.loop;

import java.nio.ByteBuffer;

/** One end of a connection that carries whole frames. Confined to its loop. */
public interface FramePipe {

    /** Queues a frame, length prefix included. A closed pipe drops frames. */
    void send(ByteBuffer frame);

    /**
     * Queues, like {@link #send}, a frame by which this end asks for something. The caller bounds how much it asks for.
     * The frame does not count as an answer, even if it is sent while another frame is delivered: two ends that ask
     * much of each other must both continue to read.
     */
    default void ask(ByteBuffer frame) {
        send(frame);
    }

    /**
     * Sets how much memory the queued frames may take while the other end does not read. Beyond it the connection
     * fails. Without a call, a higher limit holds.
     */
    void maxQueuedBytes(long bytes);

    /** Closes at once, without a call of {@link FrameListener#onClosed}. */
    void close();

    /** Closes once everything queued is sent. Frames that arrive until then are dropped. */
    void closeAfterSending();
}
