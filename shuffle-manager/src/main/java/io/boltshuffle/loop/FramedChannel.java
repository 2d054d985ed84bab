package io.boltshuffle.loop;

import io.boltshuffle.wire.FrameAssembler;
import io.boltshuffle.wire.WireException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FramePipe} over a connected TCP or Unix socket. All frames that are sent in one turn of the loop leave
 * together at its end, because each write wakes the other end, which costs more than most messages do.
 *
 * <p><b>Invariant:</b> the memory of the queued frames stays below {@link #maxQueuedBytes a limit}; a reader that is
 * too slow is given up. A failure at this end does not close the socket if
 * {@link FrameListener#onMuted the listener needs it}: the channel reads it until the other end closes. If the other
 * end asks and does not read its answers, the channel stops reading until that end has read most of them. Only a frame
 * that is sent while another frame is delivered, and that asks for nothing, counts as an answer. Two ends that send
 * much without being asked therefore both continue to read, and cannot wait for each other. A channel that waits for
 * bytes holds none of the memory outside the heap: it reads into the loop's, and keeps what it could not deliver on the
 * heap, which is at most one reading, because it reads nothing more until that is delivered.
 *
 * <p><b>Ownership:</b> owns the socket.
 */
public final class FramedChannel implements FramePipe, EventLoop.Handler {

    /** This is enough for every answer that one side may owe at once, and an eighth of an agent's heap. */
    static final long MAX_QUEUED_BYTES = 32 << 20;

    /** The channel stops reading while so many bytes of answers are queued for the other end. */
    static final long MAX_ANSWER_BYTES = 1 << 20;

    /** A frame takes this beside its array: the buffer's object, the array's header, its place in the queue. */
    private static final long FRAME_OVERHEAD_BYTES = 128;

    /** {@link #closeAfterSending} waits this long for an end that does not read. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** More queued bytes than this do not wait for the end of the turn. */
    private static final long MAX_TURN_BYTES = 256 << 10;

    /** The largest number of frames in one write. */
    private static final int MAX_GATHERED = 64;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final EventLoop loop;
    private final SelectionKey key;
    private final FrameAssembler assembler;
    /** Bytes that were read and not delivered, because the channel paused. */
    private ByteBuffer rest = NOTHING;

    private final Deque<Queued> queue = new ArrayDeque<>();
    private final FrameListener listener;
    private long maxQueuedBytes = MAX_QUEUED_BYTES;
    private long queuedBytes;
    private long answerBytes;
    private boolean delivering;
    private boolean paused;
    private boolean awaitsTurnEnd;
    private boolean awaitsRoom;
    private boolean deaf;
    private boolean closing;
    private boolean givenUp;
    private boolean muted;
    private boolean closed;
    private Loop.@Nullable Timer linger;

    /**
     * A queued frame.
     *
     * @param bytes the memory behind it, however few bytes of it are sent
     * @param isAnswer whether it was sent while a frame of the other end was delivered, and asks for nothing
     */
    private record Queued(ByteBuffer frame, long bytes, boolean isAnswer) {}

    private FramedChannel(SocketChannel channel, EventLoop loop, FrameListener listener, FrameAssembler assembler)
            throws IOException {
        this.assembler = assembler;
        this.channel = channel;
        this.loop = loop;
        this.listener = listener;
        this.key = loop.register(channel, SelectionKey.OP_READ, this);
    }

    /** Takes over a connected socket. It delivers nothing before the caller returns to the loop. */
    public static FramedChannel open(SocketChannel channel, EventLoop loop, FrameListener listener) throws IOException {
        return open(channel, loop, listener, new FrameAssembler());
    }

    static FramedChannel open(SocketChannel channel, EventLoop loop, FrameListener listener, FrameAssembler assembler)
            throws IOException {
        try {
            return new FramedChannel(channel, loop, listener, assembler);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void send(ByteBuffer frame) {
        send(frame, delivering);
    }

    @Override
    public void ask(ByteBuffer frame) {
        send(frame, /* isAnswer= */ false);
    }

    private void send(ByteBuffer frame, boolean isAnswer) {
        loop.requireTurn();
        if (closed || closing || givenUp) {
            return;
        }
        Queued queued = new Queued(frame, frame.capacity() + FRAME_OVERHEAD_BYTES, isAnswer);
        queue.add(queued);
        count(queued, 1);
        if (queuedBytes > MAX_TURN_BYTES) {
            sendNow();
        } else if (!awaitsTurnEnd && !awaitsRoom) {
            awaitsTurnEnd = true;
            loop.atTurnEnd(this);
        }
    }

    @Override
    public void maxQueuedBytes(long bytes) {
        maxQueuedBytes = bytes;
    }

    /**
     * Returns how much memory the queued frames take. Only tests ask: the queue shows nowhere else until it is full.
     */
    long queuedBytes() {
        return queuedBytes;
    }

    /**
     * Returns whether the channel reads nothing until the other end has read its answers. Only tests ask: from outside,
     * a channel that pauses looks like one that is slow.
     */
    boolean isPaused() {
        return paused;
    }

    private void sendNow() {
        flush();
        if (queuedBytes > maxQueuedBytes) {
            failLater("the other end does not read: " + queuedBytes + " bytes of memory wait for it");
        }
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

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            flush();
            dropQueue();
            if (linger != null) {
                linger.cancel();
            }
            try {
                channel.close();
            } catch (IOException e) {
                // The descriptor is gone even if close() fails, and nothing more could be sent through it.
            }
            loop.selectAnew();
        }
    }

    @Override
    public void closeAfterSending() {
        closing = true;
        closeIfSent();
        if (!closed && linger == null) {
            linger = loop.after(LINGER_NANOS, this::close);
        }
    }

    @Override
    public void onReady() throws IOException {
        if (key.isWritable()) {
            flush();
            closeIfSent();
            resume();
        }
        if (!closed && !paused && key.isReadable()) {
            read();
        }
    }

    @Override
    public void onTurnEnd() {
        awaitsTurnEnd = false;
        if (!closed) {
            flush();
            closeIfSent();
            if (loop.isCurrent()) {
                resume();
            } else if (paused) {
                loop.execute(this::resumeLater);
            }
        }
    }

    /** Frames are delivered on the loop's own thread only: what they lead to takes longer than what is hurried. */
    private void resumeLater() {
        try {
            resume();
        } catch (RuntimeException e) {
            onFault(e);
        }
    }

    @Override
    public void onFault(Exception cause) {
        if (cause instanceof IOException) {
            fail(String.valueOf(cause.getMessage()));
        } else {
            mute(cause.toString());
        }
    }

    @Override
    public boolean outlivesLoop() {
        return !closed && listener.usesMemoryOfOtherEnd();
    }

    private void read() throws IOException {
        ByteBuffer shared = loop.readBuffer().clear();
        int count = channel.read(shared);
        shared.flip();
        if (count < 0) {
            fail(assembler.atFrameBorder() ? "end of stream" : "end of stream inside a message");
            return;
        }
        try {
            deliver(shared);
        } finally {
            keep(shared);
        }
    }

    /** Other channels read into the same memory. */
    private void keep(ByteBuffer undelivered) {
        if (undelivered.hasRemaining() && mayDeliver()) {
            try {
                rest = ByteBuffer.allocate(undelivered.remaining())
                        .put(undelivered)
                        .flip();
            } catch (OutOfMemoryError e) {
                deaf = true;
                listener.onGarbage(defect(e));
            }
        }
    }

    private boolean mayDeliver() {
        return !closed && !closing && !deaf;
    }

    private void deliver(ByteBuffer bytes) {
        if (!mayDeliver()) {
            return;
        }
        try {
            deliverFrames(bytes);
        } catch (WireException e) {
            deaf = true;
            listener.onGarbage(e);
        }
    }

    private void deliverFrames(ByteBuffer bytes) throws WireException {
        for (ByteBuffer frame = nextFrame(bytes); frame != null; frame = nextFrame(bytes)) {
            delivering = true;
            try {
                listener.onFrame(frame);
            } finally {
                delivering = false;
            }
            if (closed || closing) {
                return;
            }
            if (answerBytes > MAX_ANSWER_BYTES) {
                pause();
                return;
            }
        }
    }

    /** Stops reading until {@link #resume}. */
    private void pause() {
        paused = true;
        key.interestOpsAnd(~SelectionKey.OP_READ);
        loop.selectAnew();
    }

    private void resume() {
        if (paused && !closed && answerBytes <= MAX_ANSWER_BYTES / 2) {
            paused = false;
            key.interestOpsOr(SelectionKey.OP_READ);
            deliver(rest);
            if (!rest.hasRemaining()) {
                rest = NOTHING;
            }
        }
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

    private static WireException defect(Throwable cause) {
        return new WireException("a defect on this side: " + cause);
    }

    /**
     * Sends what it can. A failure is reported later and as one of this end; if the other end closed, reading reports
     * that.
     */
    private void flush() {
        try {
            write();
        } catch (IOException | RuntimeException | Error e) {
            failLater(e.toString());
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
                awaitsRoom = true;
                key.interestOpsOr(SelectionKey.OP_WRITE);
                loop.selectAnew();
                return;
            }
        }
        if (awaitsRoom) {
            awaitsRoom = false;
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

    private void closeIfSent() {
        if (closing && queue.isEmpty()) {
            close();
        }
    }

    /**
     * Defers the failure, because the caller of {@link #send} does not expect a call back in the middle of its work.
     */
    private void failLater(String why) {
        givenUp = true;
        dropQueue();
        loop.execute(() -> mute(why));
    }

    /**
     * Stops sending. The other end may still report which memory it has released; the end of its socket would release
     * all.
     */
    private void mute(String why) {
        givenUp = true;
        dropQueue();
        if (!muted) {
            muted = true;
            if (closing || !listener.onMuted(why)) {
                fail(why);
            }
        }
        if (!closed) {
            // From the end of the turn on, the channel delivers what it kept and what arrives.
            pause();
            loop.atTurnEnd(this);
        }
    }

    private void fail(String why) {
        if (!closed) {
            close();
            if (!closing) {
                listener.onClosed(why);
            }
        }
    }
}
