package io.boltshuffle.client;

import io.boltshuffle.wire.OutputLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory of the agent that is lent to a task for its output.
 *
 * <p><b>Invariant:</b> the memory goes back once, by {@link #publish} or {@link #close}. Until then the agent gives it
 * to no other task, even if the session was given up.
 *
 * <p><b>Threads:</b> one at a time. The bytes must not be touched after the memory went back.
 *
 * <p><b>Ownership:</b> of the task, which closes it.
 */
public final class OutputMemory implements AutoCloseable {

    /** The way back to the agent. Any thread may call it. */
    interface WayBack {
        void publish(long mapId, OutputLayout layout, List<Long> lengths);

        void giveBack();
    }

    private final ByteBuffer bytes;
    private final WayBack wayBack;
    private final AtomicBoolean gone = new AtomicBoolean();

    /**
     * Creates the memory.
     *
     * @param bytes all of it, writable
     */
    OutputMemory(ByteBuffer bytes, WayBack wayBack) {
        this.bytes = bytes;
        this.wayBack = wayBack;
    }

    /** Returns a writable buffer over all of the memory. */
    public ByteBuffer bytes() {
        if (gone.get()) {
            throw new IllegalStateException("the memory of an output went back already");
        }
        return bytes.duplicate();
    }

    /**
     * Has the agent serve the output from this memory. To be called after the output was committed, if this is what was
     * committed.
     *
     * @param layout where partitions lie, from the memory's beginning
     * @param lengths of all partitions
     */
    public void publish(long mapId, OutputLayout layout, List<Long> lengths) {
        if (!gone.compareAndSet(false, true)) {
            throw new IllegalStateException("the memory of an output went back already");
        }
        wayBack.publish(mapId, layout, lengths);
    }

    /** Gives the memory back, unless it was published. Closing twice is harmless. */
    @Override
    public void close() {
        if (gone.compareAndSet(false, true)) {
            wayBack.giveBack();
        }
    }
}
