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
import org.jspecify.annotations.Nullable;

/**
 * A {@link FramePipe} over a connected socket, TCP or Unix. What is sent in one turn of the loop leaves together at its end:
 * each write wakes the other end, which costs more than most messages do.
 *
 * <p><b>Invariant:</b> what waits to be sent stays below {@link #MAX_QUEUED_BYTES}; a reader that slow is given up.
 *
 * <p><b>Ownership:</b> owns the socket.
 */
public final class FramedChannel implements FramePipe, EventLoop.Handler {

    /** Enough for every answer that one side may owe at once. */
    static final long MAX_QUEUED_BYTES = 64 << 20;

    /** More than this does not wait for the end of the turn. */
    private static final long MAX_TURN_BYTES = 256 << 10;

    /** Frames in one write. */
    private static final int MAX_GATHERED = 64;

    private static final int READ_BYTES = 64 << 10;

    private final SocketChannel channel;
    private final EventLoop loop;
    private final SelectionKey key;
    private final FrameAssembler assembler;
    private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BYTES);
    private final Deque<ByteBuffer> queue = new ArrayDeque<>();
    private FrameListener listener;
    private long queuedBytes;
    private boolean awaitsTurnEnd;
    private boolean awaitsRoom;
    private boolean deaf;
    private boolean closing;
    private boolean closed;

    private FramedChannel(SocketChannel channel, EventLoop loop, FrameListener listener, FrameAssembler assembler)
            throws IOException {
        this.assembler = assembler;
        this.channel = channel;
        this.loop = loop;
        this.listener = listener;
        this.key = loop.register(channel, SelectionKey.OP_READ, this);
    }

    /** Takes over a connected socket. Nothing is delivered before the caller gives the loop back. */
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

    /** Hands what comes from now on to another listener. */
    public void listener(FrameListener next) {
        this.listener = next;
    }

    @Override
    public void send(ByteBuffer frame) {
        assert loop.isCurrent();
        if (closed || closing) {
            return;
        }
        queue.add(frame);
        queuedBytes += frame.remaining();
        if (queuedBytes > MAX_TURN_BYTES) {
            sendNow();
        } else if (!awaitsTurnEnd && !awaitsRoom) {
            awaitsTurnEnd = true;
            loop.atTurnEnd(this);
        }
    }

    private void sendNow() {
        try {
            flush();
        } catch (IOException e) {
            failLater(e.toString());
            return;
        }
        if (queuedBytes > MAX_QUEUED_BYTES) {
            failLater("the other end does not read: " + queuedBytes + " bytes wait for it");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try {
                flush();
            } catch (IOException e) {
                // Nobody would hear of it: the connection is given up anyhow.
            }
            queue.clear();
            try {
                channel.close();
            } catch (IOException e) {
                // The descriptor is gone all the same, and nothing more could be sent through it.
            }
        }
    }

    @Override
    public void closeAfterSending() {
        closing = true;
        closeIfSent();
    }

    @Override
    public void onReady() throws IOException {
        if (key.isWritable()) {
            flush();
            closeIfSent();
        }
        if (!closed && key.isReadable()) {
            read();
        }
    }

    @Override
    public void onTurnEnd() throws IOException {
        awaitsTurnEnd = false;
        if (!closed) {
            flush();
            closeIfSent();
        }
    }

    @Override
    public void onFault(Exception cause) {
        fail(cause instanceof IOException ? String.valueOf(cause.getMessage()) : cause.toString());
    }

    private void read() throws IOException {
        readBuffer.clear();
        int count = channel.read(readBuffer);
        if (count < 0) {
            fail(assembler.atFrameBorder() ? "end of stream" : "end of stream inside a message");
            return;
        }
        readBuffer.flip();
        if (closing || deaf) {
            return;
        }
        try {
            deliver();
        } catch (WireException e) {
            deaf = true;
            listener.onGarbage(e);
        }
    }

    private void deliver() throws WireException {
        for (ByteBuffer frame = nextFrame(); frame != null; frame = nextFrame()) {
            listener.onFrame(frame);
            if (closed || closing) {
                return;
            }
        }
    }

    /** Too little memory for a frame is this connection's trouble only, and not even the end of its socket. */
    private @Nullable ByteBuffer nextFrame() throws WireException {
        try {
            return assembler.next(readBuffer);
        } catch (RuntimeException | Error e) {
            throw new WireException("a defect on this side: " + e);
        }
    }

    private void flush() throws IOException {
        while (!queue.isEmpty()) {
            int left = Math.min(queue.size(), MAX_GATHERED);
            queuedBytes -= left == 1 ? channel.write(queue.element()) : channel.write(firstFrames(left));
            while (left > 0 && !queue.element().hasRemaining()) {
                queue.remove();
                left--;
            }
            if (left > 0) {
                awaitsRoom = true;
                key.interestOpsOr(SelectionKey.OP_WRITE);
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
        Iterator<ByteBuffer> queued = queue.iterator();
        for (int i = 0; i < count; i++) {
            frames[i] = queued.next();
        }
        return frames;
    }

    private void closeIfSent() {
        if (closing && queue.isEmpty()) {
            close();
        }
    }

    /** Not at once: the caller of {@link #send} does not expect to be called back in the middle of its work. */
    private void failLater(String why) {
        queue.clear();
        loop.execute(() -> fail(why));
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
