package io.boltshuffle.agent.cable;

import io.boltshuffle.wire.PortName;

/** A cable seen from one host: its own port and the peer's. */
public record CablePair(PortName near, PortName far) {

    /** Returns a text for people. */
    @Override
    public String toString() {
        return near + " to " + far;
    }
}
