package io.boltshuffle.wire;

import java.io.IOException;

/**
 * The other side broke the protocol: an unknown type or version, a length beyond its limit, a message cut short. The
 * connection cannot be trusted any more, and its owner closes it.
 */
public final class WireException extends IOException {

    private static final long serialVersionUID = 1L;

    public WireException(String message) {
        super(message);
    }
}
