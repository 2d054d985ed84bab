package io.boltshuffle.testing;

import io.boltshuffle.loop.FramePipe;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** One end of a connection that keeps what is sent, without a copy, until a test takes it. */
public final class KeptFrames implements FramePipe {

    private final Deque<ByteBuffer> frames = new ArrayDeque<>();

    @Override
    public void send(ByteBuffer frame) {
        frames.add(frame);
    }

    public boolean isEmpty() {
        return frames.isEmpty();
    }

    /** Returns the next frame as its receiver sees it, without the length. */
    public ByteBuffer next() {
        ByteBuffer frame = frames.remove();
        frame.getInt();
        return frame;
    }

    @Override
    public void maxQueuedBytes(long bytes) {
        // Frames wait until a test takes them.
    }

    @Override
    public void close() {
        frames.clear();
    }

    @Override
    public void closeAfterSending() {
        close();
    }
}
