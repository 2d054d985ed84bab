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
    private final transient @Nullable CompletableFuture<?> undone;

    /**
     * Creates the exception without a call to wait for.
     *
     * @param call the call that hangs
     * @param underWay see {@link #isUnderWay()}
     */
    public DeviceStuckException(String message, String call, boolean underWay) {
        this(message, call, underWay, null, null);
    }

    /**
     * Creates the exception for a call that was made and may still return.
     *
     * @param pending the call that is under way; it ends as the call does
     */
    public DeviceStuckException(String message, String call, CompletableFuture<?> pending) {
        this(message, call, /* underWay= */ true, pending, null);
    }

    /**
     * @param pending the call that is under way and makes something; it ends as the call does
     * @param undone ends with success once what the call may have made does not exist
     */
    public DeviceStuckException(
            String message, String call, CompletableFuture<?> pending, CompletableFuture<?> undone) {
        this(message, call, /* underWay= */ true, pending, undone);
    }

    private DeviceStuckException(
            String message,
            String call,
            boolean underWay,
            @Nullable CompletableFuture<?> pending,
            @Nullable CompletableFuture<?> undone) {
        super(
                message,
                call,
                0,
                "stop using this device; if the process cannot be ended either, restart the host "
                        + "(docs/verbs-contract.md)");
        this.underWay = underWay;
        this.pending = pending;
        this.undone = undone;
    }

    /**
     * Returns whether the call may still take effect: it was made, or it releases something and is made once an earlier
     * one that hangs has returned. False if it is not made, because an earlier one hangs.
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

    /**
     * Runs something once it is certain that what the call was to make does not exist: the call has failed after all,
     * or what it made late has been released. On the thread that makes control calls, or at once. Never, if the call
     * does not return, or what it made cannot be released.
     */
    public void ifItIsUndoneLate(Runnable action) {
        if (undone != null) {
            CompletableFuture<Void> unused = undone.thenRun(action);
        }
    }
}
