package io.boltshuffle.agent;

import java.io.IOException;

/** This host has nothing to move bytes by RDMA with. Trying again changes nothing until a person does something. */
final class NoDevicesException extends IOException {

    private static final long serialVersionUID = 1L;

    NoDevicesException(String message) {
        super(message);
    }
}
