package io.boltshuffle.rdma;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A control call did not return in time, now or earlier. The device is unusable until that call returns, which may be
 * never. The caller must leak on purpose what was made from the device, and the memory registered with it.
 */
public final class DeviceStuckException extends VerbsException {

    private static final long serialVersionUID = 1L;

    private final boolean underWay;
    private final transient @Nullable CompletableFuture<?> pending;

    /**
     * Creates the exception without a call to wait for.
     *
     * @param call the call that hangs
     * @param underWay see {@link #isUnderWay()}
     */
    public DeviceStuckException(String message, String call, boolean underWay) {
        this(message, call, underWay, null);
    }

    /**
     * Creates the exception for a call that was made and may still return.
     *
     * @param pending the call that is under way; it ends as the call does
     */
    public DeviceStuckException(String message, String call, CompletableFuture<?> pending) {
        this(message, call, /* underWay= */ true, pending);
    }

    private DeviceStuckException(
            String message, String call, boolean underWay, @Nullable CompletableFuture<?> pending) {
        super(
                message,
                call,
                0,
                "stop using this device; if the process cannot be ended either, restart the host "
                        + "(docs/verbs-contract.md)");
        this.underWay = underWay;
        this.pending = pending;
    }

    /**
     * Returns whether the call was made and may still take effect. False means that it was not made, because an earlier
     * one hangs.
     */
    public boolean isUnderWay() {
        return underWay;
    }

    /**
     * Runs an action, on the thread that made the call, once the call has returned and succeeded after all; at once if
     * it already has. The action never runs if the call fails, does not return, or was not made.
     */
    public void ifItSucceedsLate(Runnable action) {
        if (pending != null) {
            CompletableFuture<Void> unused = pending.thenRun(action);
        }
    }
}
