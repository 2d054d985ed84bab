package io.boltshuffle.rdma;

import java.io.IOException;

/** A verbs call failed. The message names the call, the code with its name, the device, and the remedy where one is known. */
public class VerbsException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String call;
    private final int errno;

    /**
     * @param call verbs function in C spelling, such as {@code ibv_modify_qp}
     * @param errno positive code of the platform, 0 when the call gave none
     */
    public VerbsException(String message, String call, int errno) {
        super(message);
        this.call = call;
        this.errno = errno;
    }

    public String call() {
        return call;
    }

    public int errno() {
        return errno;
    }
}
