package io.boltshuffle.agent.cable;

import java.io.IOException;

/** This host has nothing to move bytes by RDMA with. Trying again changes nothing until a person does something. */
public final class NoDevicesException extends IOException {

    private static final long serialVersionUID = 1L;

    public NoDevicesException(String message) {
        super(message);
    }
}
