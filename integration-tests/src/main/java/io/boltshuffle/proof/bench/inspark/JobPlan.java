package io.boltshuffle.proof.bench.inspark;

import java.util.List;

/**
 * Says what {@link JobBench} runs.
 *
 * @param rows input of TeraSort, or empty to leave it out
 * @param sorted its output, which does not exist yet
 * @param partitions of its output
 * @param shuffles small jobs; may be none
 * @param shuffleBytes that each of them shuffles
 * @param orders tables of TPC-H, of which features are prepared, or empty to leave that out
 * @param features the directory for them, which does not exist yet
 * @param notebook whether the start of the session is measured, and a notebook's cells run
 * @param queries sets of queries; may be none
 * @param adaptive whether queries are planned again as they run; each runs in all of these ways
 * @param runs of each query and cell in the one application, one after the other
 * @param agents process ids of the node agents of all hosts
 */
public record JobPlan(
        String rows,
        String sorted,
        int partitions,
        List<ShuffleJob> shuffles,
        long shuffleBytes,
        String orders,
        String features,
        boolean notebook,
        List<QueryPlan> queries,
        List<Boolean> adaptive,
        int runs,
        List<Long> agents) {

    /**
     * Queries over the same tables.
     *
     * @param prefix of the pieces' names
     * @param tables a directory with a Parquet directory for each table
     * @param files a directory with files of SQL
     */
    public record QueryPlan(String prefix, String tables, String files) {}
}
