package io.boltshuffle.integration;

/**
 * A row of the failure matrix.
 *
 * @param name as in docs/reliability.md
 * @param inEveryBuild false for what only the profile {@code ladder} runs
 * @param everyFabric false for what only Thunderbolt does
 * @param strike lets it happen to a job
 */
record FailureRow(String name, boolean inEveryBuild, boolean everyFabric, Strike strike) {

    /** Does what a row says. */
    interface Strike {
        void at(FaultyCluster cluster, StruckJob job) throws Exception;
    }

    @Override
    public String toString() {
        return name;
    }
}
