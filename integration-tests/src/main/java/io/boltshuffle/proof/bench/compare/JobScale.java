package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.proof.bench.inspark.ShuffleJob;
import io.boltshuffle.proof.queries.QueryChoice;
import io.boltshuffle.proof.queries.QuerySet;
import java.util.List;
import java.util.Map;

/**
 * Says how much is measured.
 *
 * @param rowBytes that TeraSort sorts; 0 to leave it out
 * @param shuffles small jobs; may be none
 * @param shuffleBytes that each of them shuffles
 * @param etl whether features are prepared of the tables of TPC-H
 * @param notebook whether the start of a notebook's session is measured, and its cells run
 * @param tableScale of the tables, of TPC-H and of TPC-DS; 1 is a gigabyte
 * @param queries of each benchmark; may be none
 * @param partitions of what the queries shuffle; 0 for four for each core
 * @param adaptive whether they are planned again as they run (AQE); each runs in all of these ways
 * @param runs of each query and cell in one application
 * @param contenders stock Spark, perhaps in several ways, and boltshuffle
 * @param answersOnly whether only answers and bytes by TCP count, and not times
 * @param rounds applications of each kind with each shuffle
 */
public record JobScale(
        long rowBytes,
        List<ShuffleJob> shuffles,
        long shuffleBytes,
        boolean etl,
        boolean notebook,
        double tableScale,
        Map<QuerySet, QueryChoice> queries,
        int partitions,
        List<Boolean> adaptive,
        int runs,
        List<Compression> compressions,
        List<Contender> contenders,
        boolean answersOnly,
        int rounds) {

    /**
     * Counts rows, one output and one shuffle of them, the shuffles of small jobs, which stay until their application
     * ends, and the tables with what queries and features shuffle.
     */
    public long diskBytes() {
        return rowBytes * 4
                + shuffles.size() * shuffleBytes * 2
                + queries.size() * (long) (3e9 * tableScale)
                + (etl ? (long) (3e9 * tableScale) : 0)
                + (256L << 20);
    }

    /** Counts one shuffle of rows, those of small jobs, and what is made of tables: less than these have. */
    long localBytes() {
        int kinds = queries.size() + (etl ? 1 : 0);
        return rowBytes + shuffles.size() * shuffleBytes * 2 + (long) (2e9 * tableScale * kinds);
    }
}
