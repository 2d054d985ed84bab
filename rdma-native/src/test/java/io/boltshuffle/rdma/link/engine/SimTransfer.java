package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.TransferListener;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A transfer in a schedule, with the bytes it must bring. */
final class SimTransfer implements TransferListener {

    private final SimMemory.SimRange destination;
    private final byte[] expected;
    private final Runnable onEnd;
    private int endings;
    private boolean verified;
    private @Nullable TransferFailure failure;

    SimTransfer(SimMemory.SimRange destination, byte[] expected, Runnable onEnd) {
        this.destination = destination;
        this.expected = expected;
        this.onEnd = onEnd;
    }

    @Override
    public void onVerified() {
        verified = true;
        if (!destination.isHome()) {
            throw new AssertionError("verified while held: " + destination);
        }
        if (!Arrays.equals(destination.copy(), expected)) {
            throw new AssertionError("wrong bytes were delivered to " + destination);
        }
        ended();
    }

    @Override
    public void onFailed(TransferFailure why) {
        failure = why;
        ended();
    }

    private void ended() {
        endings++;
        if (endings > 1) {
            throw new AssertionError("a transfer ended " + endings + " times");
        }
        onEnd.run();
    }

    boolean isVerified() {
        return verified;
    }

    int endings() {
        return endings;
    }

    TransferFailure.@Nullable Reason reason() {
        return failure == null ? null : failure.reason();
    }

    SimMemory.SimRange destination() {
        return destination;
    }
}
