package io.boltshuffle.integration;

import static io.boltshuffle.integration.FaultyCluster.READER;
import static io.boltshuffle.integration.FaultyCluster.SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.os.Signal;
import java.util.List;
import java.util.Map;

/**
 * The failures that can happen while broadcasts, cached partitions and results are on their way. docs/reliability.md
 * has a line for each row.
 */
final class BlocksFailureMatrix {

    static final List<FailureRow> ROWS = List.of(
            ci("owner killed while a cached partition is read", (cluster, job) -> {
                Map<String, Long> executors = cluster.executors();
                long before = cluster.frames();
                new StruckBlocks(cluster, BlocksJob::ofCachedPartitions).inFlight(() -> {
                    FaultyCluster.kill(executors.getOrDefault(SERVER, 0L));
                    cluster.cable("clear");
                });
                assertThat(cluster.frames() - before)
                        .as("frames of what was laid out")
                        .isGreaterThanOrEqualTo(BlocksJob.BLOCK_FRAMES);
            }),
            ladder(
                    "cable pulled while a cached partition is read",
                    (cluster, job) -> new StruckBlocks(cluster, BlocksJob::ofCachedPartitions).pulledInFlight()),
            ci(
                    "serving agent killed during a broadcast",
                    (cluster, job) -> new StruckBlocks(cluster, BlocksJob::ofABroadcast)
                            .inFlight(() -> cluster.agents().signal(SERVER, Signal.KILL))),
            ladder(
                    "reading agent killed during a broadcast",
                    (cluster, job) -> new StruckBlocks(cluster, BlocksJob::ofABroadcast)
                            .inFlight(() -> cluster.agents().signal(READER, Signal.KILL))),
            ladder(
                    "cable pulled during a broadcast",
                    (cluster, job) -> new StruckBlocks(cluster, BlocksJob::ofABroadcast).pulledInFlight()),
            ladder(
                    "cable pulled while a large result is fetched",
                    (cluster, job) -> new StruckBlocks(cluster, BlocksJob::ofLargeResults).pulledInFlight()));

    private BlocksFailureMatrix() {}

    private static FailureRow ci(String name, FailureRow.Strike strike) {
        return new FailureRow(name, FailureRow.Runs.CI, true, strike);
    }

    private static FailureRow ladder(String name, FailureRow.Strike strike) {
        return new FailureRow(name, FailureRow.Runs.LADDER, true, strike);
    }
}
