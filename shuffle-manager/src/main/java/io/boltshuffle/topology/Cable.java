package io.boltshuffle.topology;

/** A cable between ports of two different hosts. It does not matter which end is called near. */
public record Cable(Port near, Port far) {

    /** @throws InvalidTopologyException if both ends are on one host */
    public Cable {
        if (near.host().equals(far.host())) {
            throw new InvalidTopologyException(
                    "cable " + near + " - " + far, "both ends on one host", "a cable between two hosts");
        }
    }

    public boolean touches(String host) {
        return near.host().equals(host) || far.host().equals(host);
    }

    public boolean joins(String oneHost, String otherHost) {
        return touches(oneHost) && touches(otherHost) && !oneHost.equals(otherHost);
    }

    /** Returns the same cable with the given host's port as {@link #near()}. */
    public Cable from(String host) {
        if (near.host().equals(host)) {
            return this;
        }
        if (far.host().equals(host)) {
            return new Cable(/* near= */ far, /* far= */ near);
        }
        throw new IllegalArgumentException("cable " + this + " does not touch " + host);
    }

    @Override
    public String toString() {
        return near + " - " + far;
    }
}
