package io.boltshuffle.agent.cable;

import java.io.IOException;

/** Says that ports are left alone for now, because other programs hold what their devices have few of. */
public final class RestingException extends IOException {

    private static final long serialVersionUID = 1L;

    RestingException(String message) {
        super(message);
    }
}
