package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;

/**
 * Repeats a job until its tasks read from the other host. A job may have all its tasks where their blocks are, by
 * chance or because one executor is late.
 */
record RemoteReads(AgentPair agents, ShuffleReads reads) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Repeats a job until all of its reads go by RDMA: on a machine too busy for a block in time, one goes by TCP. */
    void awaitAllByRdma(Runnable job) {
        await().atMost(PATIENCE).until(() -> {
            long servedBefore = agents.servedBytes();
            long remote = remoteBytesOf(job);
            return remote > 0 && agents.servedBytes() - servedBefore >= remote;
        });
    }

    /** Repeats a job until it reads at all; nothing may come by RDMA. */
    void awaitAllByTcp(Runnable job) {
        long servedBefore = agents.servedBytes();
        await().atMost(PATIENCE).until(() -> remoteBytesOf(job) > 0);
        assertThat(agents.servedBytes()).isEqualTo(servedBefore);
    }

    private long remoteBytesOf(Runnable job) throws Exception {
        long before = reads.remoteBytes();
        job.run();
        return reads.remoteBytes() - before;
    }
}
