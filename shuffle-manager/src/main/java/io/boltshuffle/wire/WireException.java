package io.boltshuffle.wire;

import java.io.IOException;

/**
 * The other side broke the protocol: an unknown type or version, a length beyond its limit, a message cut short. The
 * connection it came from cannot be trusted any more and is to be closed.
 */
public final class WireException extends IOException {

    private static final long serialVersionUID = 1L;

    public WireException(String message) {
        super(message);
    }
}
