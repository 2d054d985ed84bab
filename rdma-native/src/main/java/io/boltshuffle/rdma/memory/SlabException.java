package io.boltshuffle.rdma.memory;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A slab could not be created or mapped. The message says what was tried, what the system answered, and the remedy. */
public final class SlabException extends IOException {

    private static final long serialVersionUID = 1L;

    SlabException(String message) {
        super(message);
    }

    SlabException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
