package io.boltshuffle.integration;

import java.util.List;

/**
 * A row of the failure matrix.
 *
 * @param name as in docs/reliability.md
 * @param runs when the row runs; the profile {@code ladder} runs all
 * @param everyFabric false for what only Thunderbolt does
 * @param strike lets it happen to a job
 */
record FailureRow(String name, Runs runs, boolean everyFabric, Strike strike) {

    /** How often a row runs. */
    enum Runs {
        /** The row runs with {@code mvn verify}. */
        EVERY_BUILD,
        /** The row runs with the profile {@code ci}. */
        CI,
        LADDER;

        List<FailureRow> of(List<FailureRow> rows) {
            return rows.stream().filter(row -> row.runs == this).toList();
        }
    }

    /** Does what a row says. */
    interface Strike {
        void at(FaultyCluster cluster, StruckJob job) throws Exception;
    }

    @Override
    public String toString() {
        return name;
    }
}
