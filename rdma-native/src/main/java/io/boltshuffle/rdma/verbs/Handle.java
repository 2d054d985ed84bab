package io.boltshuffle.rdma.verbs;

import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * A native object that can be released once. This class refuses use after release, which native code would not.
 *
 * <p><b>Invariant:</b> from the moment its release is tried the object is not used, because a release that hangs may
 * still succeed. Only a release that the library refused makes the object usable again.
 *
 * <p><b>Threads:</b> any. A release that hung may succeed while another is begun, so that only one change is made at a
 * time.
 */
final class Handle {

    private final String what;
    private final Pointer object;
    private volatile State state = State.OPEN;

    private enum State {
        OPEN,
        RELEASING,
        RELEASED
    }

    Handle(String what, Pointer object) {
        this.what = what;
        this.object = object;
    }

    /**
     * Returns the object for use.
     *
     * @throws IllegalStateException if it was released, or its release was tried and has not been refused
     */
    Pointer get() {
        if (!isOpen()) {
            throw new IllegalStateException(what + " was closed");
        }
        return object;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** The object to release, also when that was tried before; null once it was released. */
    synchronized @Nullable Pointer beginRelease() {
        if (state == State.RELEASED) {
            return null;
        }
        state = State.RELEASING;
        return object;
    }

    /** The library refused to release it. */
    synchronized void releaseFailed() {
        if (state == State.RELEASING) {
            state = State.OPEN;
        }
    }

    boolean isReleased() {
        return state == State.RELEASED;
    }

    synchronized void released() {
        state = State.RELEASED;
    }
}
