package io.boltshuffle.proof.bench.model;

/**
 * How long an all-to-all shuffle takes over one fabric if only the wire and the CPU limit it.
 *
 * @param wireSeconds on the busiest cable or port
 * @param cpuSeconds of one host's cores, all of them at work
 */
record Prediction(NetworkKind fabric, int hosts, double wireSeconds, double cpuSeconds) {

    /**
     * Predicts the time.
     *
     * @param shuffleGigabytes that all hosts write together
     * @param cores of each host that may work for the shuffle
     */
    static Prediction of(NetworkKind fabric, int hosts, double shuffleGigabytes, int cores, CpuCosts costs) {
        int peers = hosts - 1;
        double received = shuffleGigabytes / hosts * peers / hosts;
        // A host receives as much as it sends, so it pays for both ends of what it receives.
        return new Prediction(
                fabric, hosts, received / fabric.receiveSpeed(peers), received * costs.of(fabric) / cores);
    }

    double seconds() {
        return Math.max(wireSeconds, cpuSeconds);
    }

    String limit() {
        return wireSeconds >= cpuSeconds ? "wire" : "CPU";
    }
}
