package io.boltshuffle.cli.cluster;

/** How any two hosts of a cluster are joined: by so many virtual cables of a kind. */
public record Cabling(CableKind kind, int cablesPerPair) {
    public String label() {
        return cablesPerPair == 1 ? kind.label() : kind.label() + "-" + cablesPerPair;
    }
}
