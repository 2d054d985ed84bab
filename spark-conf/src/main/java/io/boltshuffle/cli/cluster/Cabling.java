package io.boltshuffle.cli.cluster;

/**
 * Says by how many virtual cables, and of which kind, any two hosts of a cluster are joined.
 *
 * @param bytesPerSecond that each carries in each direction; 0 for as many as this machine can copy
 */
public record Cabling(CableKind kind, int cablesPerPair, long bytesPerSecond) {
    /** Cables that are not held to a rate. */
    public Cabling(CableKind kind, int cablesPerPair) {
        this(kind, cablesPerPair, 0);
    }

    public String label() {
        return cablesPerPair == 1 ? kind.label() : kind.label() + "-" + cablesPerPair;
    }
}
