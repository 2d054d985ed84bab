package io.boltshuffle.topology;

/** One end of a cable: a device on a host. */
public record Port(String host, DeviceName device) {

    @Override
    public String toString() {
        return host + "/" + device;
    }
}
