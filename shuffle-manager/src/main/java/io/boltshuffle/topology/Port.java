package io.boltshuffle.topology;

/** One end of a cable: a device on a host. */
public record Port(String host, DeviceName device) {

    public static Port of(String host, String device) {
        return new Port(host, new DeviceName(device));
    }

    @Override
    public String toString() {
        return host + "/" + device;
    }
}
