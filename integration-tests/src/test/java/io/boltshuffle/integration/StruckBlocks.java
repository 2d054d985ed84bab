package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A job that wants blocks in the memory of another host, and to which something happens while one is on its way. */
final class StruckBlocks {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** After so many frames the cable stops by itself; an emulated batch of 256 in each direction may come on top. */
    private static final long FRAMES_OF_A_BLOCK = 100;

    private static final int MOST_JOBS = 5;

    private final FaultyCluster cluster;
    private final BlocksJob job;
    private final BlocksJob.Kind kind;

    StruckBlocks(FaultyCluster cluster, BlocksJob.Kind kind) {
        this.cluster = cluster;
        this.job = cluster.blocks();
        this.kind = kind;
    }

    /** Strikes in the middle of a block, with the cable held until then. */
    void inFlight(StruckJob.Event event) throws Exception {
        cableStopsInFlight(Stream.of("hold", "on"), event);
    }

    /** The cable is pulled in the middle of a block. */
    void pulledInFlight() throws Exception {
        cableStopsInFlight(Stream.of("pull", "silent"), () -> {});
    }

    /** Looks in one job after the other, as that of shuffles does: on a busy machine all may go by TCP. */
    private void cableStopsInFlight(Stream<String> how, StruckJob.Event event) throws Exception {
        BlocksJob.Ready ready = kind.in(job);
        long before = cluster.frames();
        cluster.cable(Stream.concat(how, Stream.of("after", Long.toString(FRAMES_OF_A_BLOCK)))
                .toArray(String[]::new));
        CompletableFuture<Map<Integer, Long>> sums = CompletableFuture.supplyAsync(ready::run);
        for (int jobs = 1; !stopsDuring(sums, before) && jobs < MOST_JOBS; jobs++) {
            expectRight(sums);
            sums = CompletableFuture.supplyAsync(kind.in(job)::run);
        }
        assertThat(cluster.frames() - before).isBetween(FRAMES_OF_A_BLOCK, BlocksJob.BLOCK_FRAMES - 1L);
        event.happen();
        expectRight(sums);
    }

    private boolean stopsDuring(CompletableFuture<?> running, long framesBefore) throws IOException {
        await().atMost(FaultyCluster.PATIENCE)
                .until(() -> running.isDone() || cluster.frames() - framesBefore >= FRAMES_OF_A_BLOCK);
        return cluster.frames() - framesBefore >= FRAMES_OF_A_BLOCK;
    }

    private void expectRight(CompletableFuture<Map<Integer, Long>> sums) throws Exception {
        assertThat(sums.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(job.expected());
    }
}
