package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.bench.ShuffleJob;
import java.util.List;

/**
 * Says how much is measured.
 *
 * @param rowBytes that TeraSort sorts; 0 to leave it out
 * @param shuffles small jobs; may be none
 * @param shuffleBytes that each of them shuffles
 * @param tableScale of the tables; 1 is a gigabyte
 * @param queries of TPC-DS, by name; may be none
 * @param partitions of what the queries shuffle; 0 for four for each core
 * @param adaptive whether they are planned again as they run (AQE)
 * @param runs of each query in one application
 * @param contenders stock Spark, perhaps in several ways, and boltshuffle
 * @param rounds applications of each kind with each shuffle
 */
public record JobScale(
        long rowBytes,
        List<ShuffleJob> shuffles,
        long shuffleBytes,
        double tableScale,
        List<String> queries,
        int partitions,
        boolean adaptive,
        int runs,
        List<Compression> compressions,
        List<Contender> contenders,
        int rounds) {

    /**
     * Counts rows, one output and one shuffle of them, the shuffles of small jobs, which stay until their application
     * ends, and the tables with what a query shuffles.
     */
    public long diskBytes() {
        return rowBytes * 4
                + shuffles.size() * shuffleBytes * 2
                + (queries.isEmpty() ? 0 : (long) (3e9 * tableScale))
                + (256L << 20);
    }

    /** Counts one shuffle of rows, those of small jobs, and what queries shuffle: less than their tables have. */
    long localBytes() {
        return rowBytes + shuffles.size() * shuffleBytes * 2 + (queries.isEmpty() ? 0 : (long) (2e9 * tableScale));
    }
}
