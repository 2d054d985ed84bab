package io.boltshuffle.loop;

import io.boltshuffle.wire.FrameAssembler;
import io.boltshuffle.wire.WireException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of a {@link FramedChannel}: it delivers frames one after the other, and pauses while the other end
 * does not read what it asked for.
 *
 * <p><b>Invariant:</b> it reads nothing while it keeps bytes that it could not deliver. Those are on the heap, and at
 * most one reading; between two readings it holds none of the memory outside the heap.
 *
 * <p><b>Threads:</b> confined to the channel's loop. Frames are delivered on the loop's own thread only.
 */
final class FrameReader {

    /** The channel stops reading while so many bytes of answers are queued for the other end. */
    static final long MAX_ANSWER_BYTES = 1 << 20;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** The life of the reading half. {@link #mayBecome} is the whole transition table. */
    enum State {
        /** Reads and delivers. */
        READING,
        /** The listener handles a frame. What it sends meanwhile is an answer. */
        DELIVERING,
        /** Reads nothing until {@link FrameReader#resume}. */
        PAUSED,
        /** Delivers nothing more. It reads on only to notice that the other end closes. */
        DEAF,
        CLOSED;

        boolean mayBecome(State next) {
            return switch (this) {
                case READING -> next != READING;
                case DELIVERING -> next == READING || next == DEAF || next == CLOSED;
                case PAUSED -> next == READING || next == DEAF || next == CLOSED;
                case DEAF -> next == CLOSED;
                case CLOSED -> false;
            };
        }
    }

    private final SocketChannel channel;
    private final SelectionKey key;
    private final EventLoop loop;
    private final FrameAssembler assembler;
    private final FrameListener listener;
    private final FrameWriter writer;
    private State state = State.READING;
    /** Bytes that were read and not delivered, because the channel paused. */
    private ByteBuffer rest = NOTHING;

    /** @param writer tells how many answers are queued */
    FrameReader(
            SocketChannel channel,
            SelectionKey key,
            EventLoop loop,
            FrameAssembler assembler,
            FrameListener listener,
            FrameWriter writer) {
        this.channel = channel;
        this.key = key;
        this.loop = loop;
        this.assembler = assembler;
        this.listener = listener;
        this.writer = writer;
    }

    State state() {
        return state;
    }

    /**
     * Reads once if the socket has bytes, and delivers the frames that became whole.
     *
     * @throws EOFException if the other end closed
     */
    void onReady() throws IOException {
        boolean mayRead = state == State.READING || state == State.DEAF;
        if (mayRead && key.isReadable()) {
            read();
        }
    }

    private void read() throws IOException {
        ByteBuffer shared = loop.readBuffer().clear();
        int count = channel.read(shared);
        shared.flip();
        if (count < 0) {
            throw new EOFException(assembler.atFrameBorder() ? "end of stream" : "end of stream inside a message");
        }
        try {
            deliver(shared);
        } finally {
            keep(shared);
        }
    }

    private void deliver(ByteBuffer bytes) {
        try {
            while (state == State.READING && deliverNext(bytes)) {
                if (writer.answerBytes() > MAX_ANSWER_BYTES) {
                    pause();
                }
            }
        } catch (WireException e) {
            deafen();
            listener.onGarbage(e);
        }
    }

    /** Returns false if there is no whole frame. */
    private boolean deliverNext(ByteBuffer bytes) throws WireException {
        ByteBuffer frame = nextFrame(bytes);
        if (frame == null) {
            return false;
        }
        become(State.DELIVERING);
        try {
            listener.onFrame(frame);
        } finally {
            if (state == State.DELIVERING) {
                become(State.READING);
            }
        }
        return true;
    }

    /**
     * Returns a buffer for the next frame. If there is too little memory for it, only this connection suffers, and even
     * its socket stays open.
     */
    private @Nullable ByteBuffer nextFrame(ByteBuffer bytes) throws WireException {
        try {
            return assembler.next(bytes);
        } catch (RuntimeException | Error e) {
            throw defect(e);
        }
    }

    /** Keeps what was not delivered, because other channels read into the same memory. */
    private void keep(ByteBuffer undelivered) {
        boolean isWanted = state == State.READING || state == State.PAUSED;
        if (isWanted && undelivered.hasRemaining()) {
            try {
                rest = ByteBuffer.allocate(undelivered.remaining())
                        .put(undelivered)
                        .flip();
            } catch (OutOfMemoryError e) {
                deafen();
                listener.onGarbage(defect(e));
            }
        }
    }

    private static WireException defect(Throwable cause) {
        return new WireException("a defect on this side: " + cause);
    }

    /** Stops reading until {@link #resume}. */
    void pause() {
        if (state.mayBecome(State.PAUSED)) {
            become(State.PAUSED);
            key.interestOpsAnd(~SelectionKey.OP_READ);
            loop.selectAnew();
        }
    }

    /** Reads again if the other end has read most of its answers, and first delivers what was kept. */
    void resume() {
        if (state == State.PAUSED && writer.answerBytes() <= MAX_ANSWER_BYTES / 2) {
            become(State.READING);
            key.interestOpsOr(SelectionKey.OP_READ);
            deliver(rest);
            if (!rest.hasRemaining()) {
                rest = NOTHING;
            }
        }
    }

    /** Delivers nothing more. A channel that paused reads again, so that it notices the end of the stream. */
    void deafen() {
        if (!state.mayBecome(State.DEAF)) {
            return;
        }
        boolean isPaused = state == State.PAUSED;
        become(State.DEAF);
        rest = NOTHING;
        if (isPaused && key.isValid()) { // not if the loop has ended, and closed the socket
            key.interestOpsOr(SelectionKey.OP_READ);
            loop.selectAnew();
        }
    }

    void close() {
        become(State.CLOSED);
    }

    private void become(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("a reader that is " + state + " must not become " + next);
        }
        state = next;
    }
}
