package io.boltshuffle.cli.doctor.fabric;

import io.boltshuffle.cli.doctor.facts.VerbsDevice;
import io.boltshuffle.topology.mac.ThunderboltPort;
import java.util.List;
import java.util.stream.Stream;

/** A cable between two known hosts, with the slower speed of what its ends report. */
public record DiscoveredCable(CableEnd near, CableEnd far) {

    public int gigabits() {
        return Math.min(near.port().gigabits(), far.port().gigabits());
    }

    public List<CableEnd> ends() {
        return List.of(near, far);
    }

    public CableEnd otherEnd(CableEnd end) {
        return end.equals(near) ? far : near;
    }

    public boolean joins(String oneHost, String otherHost) {
        return (near.host().equals(oneHost) && far.host().equals(otherHost))
                || (near.host().equals(otherHost) && far.host().equals(oneHost));
    }

    /** Returns true if both ends have an active verbs port and the link is as fast as RDMA needs. */
    public boolean isRdma() {
        return gigabits() >= ThunderboltPort.THUNDERBOLT_5_GIGABITS
                && Stream.of(near, far)
                        .allMatch(end ->
                                end.device().filter(VerbsDevice::isActive).isPresent());
    }

    /** Returns, for example, "mac1, mac2". */
    public String hosts() {
        return near.host() + ", " + far.host();
    }

    /** Returns, for example, "port 3 (en5) to port 1 (en3)", in the order of {@link #hosts()}. */
    public String label() {
        return near.label() + " to " + far.label();
    }

    @Override
    public String toString() {
        return near + " - " + far;
    }
}
