package io.boltshuffle.loop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Consumer;

/**
 * The writing half of a {@link FramedChannel}: the queue of its frames. They leave at the end of the turn, at once if
 * they are many, or when the socket has room again.
 *
 * <p><b>Invariant:</b> frames are queued in the states {@link State#WAITS_FOR_TURN_END}, {@link State#WAITS_FOR_ROOM}
 * and {@link State#LINGERING} only, and their memory stays below {@link #maxQueuedBytes a limit}.
 *
 * <p><b>Threads:</b> confined to the channel's loop.
 */
final class FrameWriter {

    /** This is enough for every answer that one side may owe at once, and an eighth of an agent's heap. */
    static final long MAX_QUEUED_BYTES = 32 << 20;

    /** A frame takes this beside its array: the buffer's object, the array's header, its place in the queue. */
    private static final long FRAME_OVERHEAD_BYTES = 128;

    /** More queued bytes than this do not wait for the end of the turn. */
    private static final long MAX_TURN_BYTES = 256 << 10;

    /** The largest number of frames in one write. */
    private static final int MAX_GATHERED = 64;

    /** The life of the writing half. {@link #mayBecome} is the whole transition table. */
    enum State {
        /** Nothing is queued. */
        IDLE,
        /** Queued frames leave at the end of the turn. */
        WAITS_FOR_TURN_END,
        /** The socket is full. Queued frames leave when it has room. */
        WAITS_FOR_ROOM,
        /** Takes no more frames. The channel closes once the queued ones are sent. */
        LINGERING,
        /** Can send nothing more. The channel hears of it after the work in which it happened. */
        GIVEN_UP,
        /** Can send nothing more, and the listener knows. The channel may go on reading. */
        MUTED,
        CLOSED;

        boolean mayBecome(State next) {
            return switch (this) {
                case IDLE -> next != IDLE && next != LINGERING;
                case WAITS_FOR_TURN_END -> next != WAITS_FOR_TURN_END;
                case WAITS_FOR_ROOM -> next != WAITS_FOR_ROOM && next != WAITS_FOR_TURN_END;
                case GIVEN_UP -> next == MUTED || next == CLOSED;
                case LINGERING, MUTED -> next == CLOSED;
                case CLOSED -> false;
            };
        }

        /** Returns whether the listener closed the channel, or heard that it is closed. */
        boolean isEnding() {
            return this == LINGERING || this == CLOSED;
        }

        private boolean takesFrames() {
            return this == IDLE || this == WAITS_FOR_TURN_END || this == WAITS_FOR_ROOM;
        }
    }

    /**
     * @param bytes the memory behind it, however few bytes of it are sent
     * @param isAnswer whether it was sent while a frame of the other end was delivered, and asks for nothing
     */
    private record Queued(ByteBuffer frame, long bytes, boolean isAnswer) {}

    private final SocketChannel channel;
    private final SelectionKey key;
    private final EventLoop loop;
    private final Runnable atTurnEnd;
    private final Consumer<String> onGivenUp;
    private final Deque<Queued> queue = new ArrayDeque<>();
    private State state = State.IDLE;
    private long maxQueuedBytes = MAX_QUEUED_BYTES;
    private long queuedBytes;
    private long answerBytes;

    /**
     * @param atTurnEnd asks for a call of {@link #onTurnEnd}
     * @param onGivenUp is told once, in the middle of the work, why nothing more can be sent
     */
    FrameWriter(
            SocketChannel channel, SelectionKey key, EventLoop loop, Runnable atTurnEnd, Consumer<String> onGivenUp) {
        this.channel = channel;
        this.key = key;
        this.loop = loop;
        this.atTurnEnd = atTurnEnd;
        this.onGivenUp = onGivenUp;
    }

    State state() {
        return state;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Returns how much memory the queued frames take. */
    long queuedBytes() {
        return queuedBytes;
    }

    /** Returns how much memory those of the queued frames take that are answers. */
    long answerBytes() {
        return answerBytes;
    }

    void maxQueuedBytes(long bytes) {
        maxQueuedBytes = bytes;
    }

    /** Queues a frame, or drops it if no more are taken. */
    void send(ByteBuffer frame, boolean isAnswer) {
        if (!state.takesFrames()) {
            return;
        }
        Queued queued = new Queued(frame, frame.capacity() + FRAME_OVERHEAD_BYTES, isAnswer);
        queue.add(queued);
        count(queued, 1);
        if (queuedBytes > MAX_TURN_BYTES) {
            sendNow();
        } else if (state == State.IDLE) {
            become(State.WAITS_FOR_TURN_END);
            atTurnEnd.run();
        }
    }

    private void sendNow() {
        flush();
        if (queuedBytes > maxQueuedBytes) {
            giveUp("the other end does not read: " + queuedBytes + " bytes of memory wait for it");
        }
    }

    void onTurnEnd() {
        if (state == State.WAITS_FOR_TURN_END) {
            become(State.IDLE);
        }
        flush();
    }

    /**
     * Sends what it can. A failure is reported later and as one of this end; if the other end closed, reading reports
     * that.
     */
    void flush() {
        try {
            write();
        } catch (IOException | RuntimeException | Error e) {
            giveUp(e.toString());
        }
    }

    private void write() throws IOException {
        while (!queue.isEmpty()) {
            int left = Math.min(queue.size(), MAX_GATHERED);
            if (left == 1) {
                channel.write(queue.element().frame());
            } else {
                channel.write(firstFrames(left));
            }
            while (left > 0 && !queue.element().frame().hasRemaining()) {
                count(queue.remove(), -1);
                left--;
            }
            if (left > 0) {
                awaitRoom();
                return;
            }
        }
        if (state == State.WAITS_FOR_ROOM) {
            become(State.IDLE);
            key.interestOpsAnd(~SelectionKey.OP_WRITE);
        }
    }

    private ByteBuffer[] firstFrames(int count) {
        ByteBuffer[] frames = new ByteBuffer[count];
        Iterator<Queued> queued = queue.iterator();
        for (int i = 0; i < count; i++) {
            frames[i] = queued.next().frame();
        }
        return frames;
    }

    private void awaitRoom() {
        if (state.mayBecome(State.WAITS_FOR_ROOM)) {
            become(State.WAITS_FOR_ROOM);
        }
        key.interestOpsOr(SelectionKey.OP_WRITE);
        loop.selectAnew();
    }

    /** Drops the queue. If the channel lingers, it closes now that nothing is queued. */
    private void giveUp(String why) {
        dropQueue();
        if (state.mayBecome(State.GIVEN_UP)) {
            become(State.GIVEN_UP);
            onGivenUp.accept(why);
        }
    }

    /** Takes no more frames. */
    void linger() {
        become(State.LINGERING);
    }

    /**
     * Sends nothing more.
     *
     * @return whether the listener does not know that yet
     */
    boolean mute() {
        dropQueue();
        if (!state.mayBecome(State.MUTED)) {
            return false;
        }
        become(State.MUTED);
        key.interestOpsAnd(~SelectionKey.OP_WRITE);
        return true;
    }

    /** Sends what the socket takes at once, and drops the rest. */
    void close() {
        flush();
        dropQueue();
        become(State.CLOSED);
    }

    private void become(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("a writer that is " + state + " must not become " + next);
        }
        state = next;
    }

    private void count(Queued queued, int sign) {
        queuedBytes += sign * queued.bytes();
        if (queued.isAnswer()) {
            answerBytes += sign * queued.bytes();
        }
    }

    private void dropQueue() {
        queue.clear();
        queuedBytes = 0;
        answerBytes = 0;
    }
}
