package io.boltshuffle.cli.cluster;

/** Says by how many virtual cables, and of which kind, any two hosts of a cluster are joined. */
public record Cabling(CableKind kind, int cablesPerPair) {
    public String label() {
        return cablesPerPair == 1 ? kind.label() : kind.label() + "-" + cablesPerPair;
    }
}
