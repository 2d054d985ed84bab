package io.boltshuffle.testing;

import io.boltshuffle.loop.FrameListener;
import io.boltshuffle.loop.FramePipe;
import io.boltshuffle.wire.WireException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection whose frames arrive only when a test says so. As with sockets, what was sent before the other
 * end closed may still arrive, and a connection that broke loses what is on its way.
 */
public final class SimPipe implements FramePipe {

    private final Deque<byte[]> inbox = new ArrayDeque<>();
    private final Consumer<ByteBuffer> watcher;
    private @Nullable SimPipe other;
    private @Nullable FrameListener listener;
    private boolean closed;
    private boolean broken;

    /** @param watcher sees each frame that is sent from here */
    private SimPipe(Consumer<ByteBuffer> watcher) {
        this.watcher = watcher;
    }

    /** @return one end; the other is its {@link #other} */
    public static SimPipe connect(Consumer<ByteBuffer> watcherHere, Consumer<ByteBuffer> watcherThere) {
        SimPipe here = new SimPipe(watcherHere);
        SimPipe there = new SimPipe(watcherThere);
        here.other = there;
        there.other = here;
        return here;
    }

    public SimPipe other() {
        return Objects.requireNonNull(other);
    }

    public void listener(FrameListener next) {
        listener = next;
    }

    @Override
    public void send(ByteBuffer frame) {
        if (closed) {
            return;
        }
        frame.getInt(); // the length, which a socket's reader takes off
        watcher.accept(frame.duplicate());
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        if (!broken && !other().closed) {
            other().inbox.add(bytes);
        }
    }

    @Override
    public void maxQueuedBytes(long bytes) {
        // Frames wait until a test delivers them.
    }

    @Override
    public void close() {
        closed = true;
        inbox.clear();
    }

    @Override
    public void closeAfterSending() {
        close();
    }

    /** Breaks the connection for both ends; each learns of it when its {@link #end} is called. */
    public void breakOff() {
        broken = true;
        other().broken = true;
    }

    public boolean isIntact() {
        return !broken && !closed && !other().closed;
    }

    /** Returns whether this end closed. */
    public boolean isClosed() {
        return closed;
    }

    public boolean hasFrame() {
        return !closed && !inbox.isEmpty();
    }

    public void deliver() {
        FrameListener to = Objects.requireNonNull(listener);
        try {
            to.onFrame(ByteBuffer.wrap(inbox.remove()));
        } catch (WireException e) {
            throw new AssertionError("one of ours broke the protocol", e);
        }
    }

    /** Returns whether the end of the connection may be seen here now. */
    public boolean mayEnd() {
        return !closed && (broken || (other().closed && inbox.isEmpty()));
    }

    public void end() {
        close();
        Objects.requireNonNull(listener).onClosed("the connection ended");
    }
}
