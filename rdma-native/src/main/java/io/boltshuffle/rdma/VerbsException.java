package io.boltshuffle.rdma;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A verbs call failed. The message names the call, the code with its name, the device, and the remedy if one is known.
 */
public class VerbsException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String call;
    private final int errno;
    private final @Nullable String remedy;
    private final boolean restartNeeded;

    /**
     * Creates the exception without a remedy.
     *
     * @param call verbs function in C spelling, such as {@code ibv_reg_mr}; a state change names the state it asked
     * for, as {@code ibv_modify_qp(RTR)}
     * @param errno positive code of the platform, 0 when the call gave none
     */
    public VerbsException(String message, String call, int errno) {
        this(message, call, errno, null);
    }

    /**
     * Creates the exception with a remedy.
     *
     * @param remedy what a person can do about it, in one line; null if no remedy is known
     */
    public VerbsException(String message, String call, int errno, @Nullable String remedy) {
        this(message, call, errno, remedy, /* restartNeeded= */ false);
    }

    /** @param restartNeeded whether the call fails until this host is restarted, and another attempt makes it worse */
    public VerbsException(String message, String call, int errno, @Nullable String remedy, boolean restartNeeded) {
        super(remedy == null ? message : message + ". Remedy: " + remedy);
        this.call = call;
        this.errno = errno;
        this.remedy = remedy;
        this.restartNeeded = restartNeeded;
    }

    public String call() {
        return call;
    }

    public int errno() {
        return errno;
    }

    public Optional<String> remedy() {
        return Optional.ofNullable(remedy);
    }

    /** Returns whether only a restart of this host helps, so that the call must not be tried again. */
    public boolean isRestartNeeded() {
        return restartNeeded;
    }
}
