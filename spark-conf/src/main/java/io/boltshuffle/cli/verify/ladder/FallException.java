package io.boltshuffle.cli.verify.ladder;

import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.LinkFailure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

    /** @param cause what took the link down, if that was it */
    static FallException ofStream(String what, @Nullable LinkFailure cause) {
        return new FallException(what, cause == null ? "" : remedyOf(cause));
    }

    private static String remedyOf(LinkFailure failure) {
        return switch (failure.reason()) {
            case CHECKSUM_MISMATCH, LENGTH_MISMATCH, BAD_COMPLETION, CALIBRATION_DIRTY ->
                "the cable or a port damages data: try another cable, then another port";
            case STALLED -> "look at the other host; if it is well, re-plug the cable";
            default -> "";
        };
    }

    String what() {
        return Objects.requireNonNullElse(getMessage(), "");
    }

    String remedy() {
        return remedy;
    }
}
