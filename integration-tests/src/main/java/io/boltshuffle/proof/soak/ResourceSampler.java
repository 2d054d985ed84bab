package io.boltshuffle.proof.soak;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.cli.cluster.ProcessFigures;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Samples every process of the cluster again and again, until told to stop, and samples more often what came by RDMA.
 *
 * <p><b>Threads:</b> {@link #run} has one of its own.
 */
final class ResourceSampler implements Runnable {
    private static final long PERIOD_MILLIS = 500;
    private static final int PERIODS_PER_LOOK = 4;

    private final Curves curves;
    private final AgentRecords agents;
    private final List<String> hosts;
    private final CountDownLatch stop = new CountDownLatch(1);

    ResourceSampler(Curves curves, AgentRecords agents, List<String> hosts) {
        this.curves = curves;
        this.agents = agents;
        this.hosts = hosts;
    }

    @Override
    public void run() {
        try {
            int period = 0;
            do {
                List<JsonNode> statuses = agents.ask(hosts);
                curves.came(agents.fetchedBytes());
                if (period++ % PERIODS_PER_LOOK == 0) {
                    ClusterProcess.running().forEach(this::sample);
                    statuses.forEach(this::sample);
                }
            } while (!stop.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void stop() {
        stop.countDown();
    }

    private void sample(ClusterProcess process) {
        ProcessFigures.of(process.pid()).ifPresent(figures -> {
            curves.add(process.name(), process.pid(), WatchedResource.PRIVATE_MEMORY, figures.privateBytes());
            curves.add(process.name(), process.pid(), WatchedResource.DESCRIPTORS, figures.descriptors());
            curves.add(process.name(), process.pid(), WatchedResource.THREADS, figures.threads());
            if (process.kind() != ClusterProcess.Kind.DRIVER) {
                curves.add(process.name(), process.pid(), WatchedResource.SLAB, figures.slabBytes());
            }
        });
    }

    private void sample(JsonNode status) {
        curves.add(
                "agent " + status.path("host").asText(),
                status.path("processId").asLong(),
                WatchedResource.QUARANTINED,
                status.at("/memory/quarantinedBytes").asLong());
    }
}
