package io.boltshuffle.client;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bytes that arrived: in the agent's slab, or in memory of this process where they were copied out.
 *
 * <p><b>Ownership:</b> whoever holds it calls {@link #release} when nothing reads the bytes any more; twice is harmless. One
 * that is dropped instead is released when the garbage collector finds it, and counted as forgotten.
 *
 * <p><b>Threads:</b> any.
 */
public final class FetchedBytes {

    private static final Cleaner CLEANER = Cleaner.create();

    private final ByteBuffer view;
    private final boolean wantedBack;
    private final Hold hold;
    private final Cleaner.Cleanable cleanable;

    /** What is left to do, apart from the object so that the cleaner does not keep it alive. */
    private static final class Hold implements Runnable {
        private final Runnable onRelease;
        private final Runnable onForgotten;
        private final AtomicBoolean released = new AtomicBoolean();

        Hold(Runnable onRelease, Runnable onForgotten) {
            this.onRelease = onRelease;
            this.onForgotten = onForgotten;
        }

        /** Called by the cleaner, also after an ordinary release. */
        @Override
        public void run() {
            if (release()) {
                onForgotten.run();
            }
        }

        boolean release() {
            boolean first = released.compareAndSet(false, true);
            if (first) {
                onRelease.run();
            }
            return first;
        }
    }

    FetchedBytes(ByteBuffer view, boolean wantedBack, Runnable onRelease, Runnable onForgotten) {
        this.view = view.asReadOnlyBuffer();
        this.wantedBack = wantedBack;
        this.hold = new Hold(onRelease, onForgotten);
        this.cleanable = CLEANER.register(this, hold);
    }

    /** A read-only buffer of its own position over all the bytes. Not to be read after the release. */
    public ByteBuffer buffer() {
        return view.duplicate();
    }

    /** True if the agent is short of memory: copy the bytes rather than hold them. */
    public boolean isWantedBack() {
        return wantedBack;
    }

    public int size() {
        return view.remaining();
    }

    public void release() {
        if (hold.release()) {
            cleanable.clean();
        }
    }
}
