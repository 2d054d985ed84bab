package io.boltshuffle.rdma;

/**
 * A control call did not return in time, now or earlier. The device stays unusable for the life of this process: whatever
 * was made from it, and the memory registered with it, must be leaked on purpose.
 */
public final class DeviceStuckException extends VerbsException {

    private static final long serialVersionUID = 1L;

    private final boolean underWay;

    /**
     * @param call the call that hangs
     * @param underWay see {@link #isUnderWay()}
     */
    public DeviceStuckException(String message, String call, boolean underWay) {
        super(
                message,
                call,
                0,
                "stop using this device; if the process cannot be ended either, restart the host (docs/verbs-contract.md)");
        this.underWay = underWay;
    }

    /** Whether the call was made and may still take effect. False if it was not made, because an earlier one hangs. */
    public boolean isUnderWay() {
        return underWay;
    }
}
