package io.boltshuffle.rdma.verbs;

import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * A native object that can be released once. Use after release is an error here, not in native code.
 *
 * <p><b>Invariant:</b> from the moment its release is tried the object is not used, because a release that is said to
 * hang may still succeed. Only a release that was refused makes it usable again.
 *
 * <p><b>Threads:</b> one releases; any may use.
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

    /** @throws IllegalStateException if it was released, or its release was tried and has not been refused */
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
    @Nullable Pointer beginRelease() {
        if (state == State.RELEASED) {
            return null;
        }
        state = State.RELEASING;
        return object;
    }

    /** The library refused to release it. */
    void releaseFailed() {
        state = State.OPEN;
    }

    boolean isReleased() {
        return state == State.RELEASED;
    }

    void released() {
        state = State.RELEASED;
    }
}
