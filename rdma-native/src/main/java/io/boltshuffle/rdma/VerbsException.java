package io.boltshuffle.rdma;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A verbs call failed. The message names the call, the code with its name, the device, and the remedy where one is
 * known.
 */
public class VerbsException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String call;
    private final int errno;
    private final @Nullable String remedy;
    private final boolean restartNeeded;

    /**
     * @param call verbs function in C spelling, such as {@code ibv_reg_mr}; a state change names the state it asked
     *     for, as {@code ibv_modify_qp(RTR)}
     * @param errno positive code of the platform, 0 when the call gave none
     */
    public VerbsException(String message, String call, int errno) {
        this(message, call, errno, null);
    }

    /** @param remedy what a person can do about it, in one line; null when nobody knows */
    public VerbsException(String message, String call, int errno, @Nullable String remedy) {
        this(message, call, errno, remedy, /* restartNeeded= */ false);
    }

    /** @param restartNeeded whether the call fails until this host is restarted, and trying again makes it worse */
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

    /** Whether only a restart of this host helps: the call must not be tried again. */
    public boolean isRestartNeeded() {
        return restartNeeded;
    }
}
