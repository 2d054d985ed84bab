package io.boltshuffle.proof.queries;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The comparison of a benchmark.
 *
 * @param queries how many were run, each with adaptive execution and without
 * @param stockFailed queries that fail with Spark's own shuffle and are not compared, each with its error
 * @param differing queries that give another result with the plugin
 * @param unrepeatable those of the differing queries to which stock Spark itself gave another answer the second time
 */
record QueryComparison(
        String benchmark,
        int queries,
        List<String> stockFailed,
        List<String> differing,
        List<String> unrepeatable,
        OptionalLong rdmaBytes,
        OptionalLong nettyBytes) {

    private static final double LEAST_RDMA_SHARE = 0.99;
    private static final double MEGABYTE = 1e6;

    QueryComparison {
        stockFailed = List.copyOf(stockFailed);
        differing = List.copyOf(differing);
        unrepeatable = List.copyOf(unrepeatable);
    }

    int equal() {
        return queries - stockFailed.size() - differing.size() - unrepeatable.size();
    }

    /** Returns the result in one line. */
    String summary() {
        return "%s: %d of %d answers equal, %s MB by RDMA, %s MB by TCP"
                .formatted(benchmark, equal(), queries, megabytes(rdmaBytes), megabytes(nettyBytes));
    }

    static String megabytes(OptionalLong bytes) {
        return bytes.isEmpty() ? "unknown" : "%.1f".formatted(bytes.getAsLong() / MEGABYTE);
    }

    /** Returns why this is no proof; one line each, empty if all is well. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        differing.forEach(query -> faults.add(benchmark + " " + query + " gives something else than with stock Spark"));
        if (stockFailed.size() == queries) {
            faults.add(benchmark + ": every query failed with stock Spark, so nothing was compared");
        }
        long rdma = rdmaBytes.orElse(0);
        if (rdma == 0 || rdma < LEAST_RDMA_SHARE * (rdma + nettyBytes.orElse(0))) {
            faults.add(benchmark + ": " + rdma + " bytes came by RDMA and " + nettyBytes.orElse(0) + " by TCP");
        }
        return faults;
    }
}
