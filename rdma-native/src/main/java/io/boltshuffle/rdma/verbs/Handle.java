package io.boltshuffle.rdma.verbs;

import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/** A native object that can be released once. Use after release is an error here, not in native code. */
final class Handle {

    private final String what;
    private volatile @Nullable Pointer pointer;

    Handle(String what, Pointer pointer) {
        this.what = what;
        this.pointer = pointer;
    }

    /** @throws IllegalStateException if it was released */
    Pointer get() {
        Pointer present = pointer;
        if (present == null) {
            throw new IllegalStateException(what + " was closed");
        }
        return present;
    }

    boolean isOpen() {
        return pointer != null;
    }

    void release() {
        pointer = null;
    }
}
