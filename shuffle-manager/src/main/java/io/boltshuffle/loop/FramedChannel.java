package io.boltshuffle.loop;

import io.boltshuffle.wire.FrameAssembler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
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
 * much without being asked therefore both continue to read, and cannot wait for each other.
 *
 * <p><b>Ownership:</b> owns the socket.
 */
public final class FramedChannel implements FramePipe, EventLoop.Handler {

    /** {@link #closeAfterSending} waits this long for an end that does not read. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final SocketChannel channel;
    private final EventLoop loop;
    private final SelectionKey key;
    private final FrameListener listener;
    private final FrameWriter writer;
    private final FrameReader reader;
    private Loop.@Nullable Timer linger;

    private FramedChannel(SocketChannel channel, EventLoop loop, FrameListener listener, FrameAssembler assembler)
            throws IOException {
        this.channel = channel;
        this.loop = loop;
        this.listener = listener;
        this.key = loop.register(channel, SelectionKey.OP_READ, this);
        this.writer =
                new FrameWriter(channel, key, loop, () -> loop.atTurnEnd(this), why -> loop.execute(() -> mute(why)));
        this.reader = new FrameReader(channel, key, loop, assembler, listener, writer);
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
        loop.requireTurn();
        writer.send(frame, /* isAnswer= */ reader.state() == FrameReader.State.DELIVERING);
    }

    @Override
    public void ask(ByteBuffer frame) {
        loop.requireTurn();
        writer.send(frame, /* isAnswer= */ false);
    }

    @Override
    public void maxQueuedBytes(long bytes) {
        writer.maxQueuedBytes(bytes);
    }

    /**
     * Returns how much memory the queued frames take. Only tests ask: the queue shows nowhere else until it is full.
     */
    long queuedBytes() {
        return writer.queuedBytes();
    }

    /**
     * Returns whether the channel reads nothing until the other end has read its answers. Only tests ask: from outside,
     * a channel that pauses looks like one that is slow.
     */
    boolean isPaused() {
        return reader.state() == FrameReader.State.PAUSED;
    }

    @Override
    public void onReady() throws IOException {
        if (key.isWritable()) {
            writer.flush();
            closeIfSent();
            reader.resume();
        }
        reader.onReady();
    }

    @Override
    public void onTurnEnd() {
        writer.onTurnEnd();
        closeIfSent();
        if (loop.isCurrent()) {
            reader.resume();
        } else if (isPaused()) {
            loop.execute(this::resumeLater);
        }
    }

    /** Frames are delivered on the loop's own thread only: what they lead to takes longer than what is hurried. */
    private void resumeLater() {
        try {
            reader.resume();
        } catch (RuntimeException e) {
            onFault(e);
        }
    }

    @Override
    public void closeAfterSending() {
        if (writer.isEmpty()) {
            close();
        } else if (writer.state() != FrameWriter.State.LINGERING) {
            writer.linger();
            reader.deafen();
            linger = loop.after(LINGER_NANOS, this::close);
        }
    }

    private void closeIfSent() {
        if (writer.state() == FrameWriter.State.LINGERING && writer.isEmpty()) {
            close();
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

    /**
     * Stops sending. The other end may still report which memory it has released; the end of its socket would release
     * all.
     */
    private void mute(String why) {
        if (writer.state().isEnding()) {
            close();
            return;
        }
        if (writer.mute() && !listener.onMuted(why)) {
            fail(why);
        }
        // From the end of the turn on, the channel delivers what it kept and what arrives.
        reader.pause();
        loop.atTurnEnd(this);
    }

    private void fail(String why) {
        boolean isEnding = writer.state().isEnding();
        close();
        if (!isEnding) {
            listener.onClosed(why);
        }
    }

    @Override
    public void close() {
        if (writer.state() == FrameWriter.State.CLOSED) {
            return;
        }
        writer.close();
        reader.close();
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

    @Override
    public boolean outlivesLoop() {
        return writer.state() != FrameWriter.State.CLOSED && listener.usesMemoryOfOtherEnd();
    }
}
