package io.boltshuffle.rdma;

/**
 * A control call did not return in time, now or earlier. The device stays unusable for the life of this process: whatever
 * was made from it, and the memory registered with it, must be leaked on purpose.
 */
public final class DeviceStuckException extends VerbsException {

    private static final long serialVersionUID = 1L;

    /** @param call the call that hangs */
    public DeviceStuckException(String message, String call) {
        super(
                message,
                call,
                0,
                "stop using this device; if the process cannot be ended either, restart the host (docs/verbs-contract.md)");
    }
}
