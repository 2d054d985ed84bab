package io.boltshuffle.rdma.link.verify;

import io.boltshuffle.rdma.VerbsException;
import java.util.Objects;

/** A rung did not hold. */
final class FallException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    FallException(String what, String remedy) {
        super(what);
        this.remedy = remedy;
    }

    static FallException of(VerbsException e) {
        return new FallException(
                Objects.requireNonNullElse(e.getMessage(), e.call()), e.remedy().orElse(""));
    }

    String what() {
        return Objects.requireNonNullElse(getMessage(), "");
    }

    String remedy() {
        return remedy;
    }
}
