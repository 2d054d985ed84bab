package io.boltshuffle.proof.bench.scale;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.cluster.ProcessFigures;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Looks at agents again and again, and keeps the largest value of each quantity.
 *
 * <p><b>Threads:</b> one of its own until it is closed; the thread that closes it may read the result.
 */
final class AgentSampler implements AutoCloseable {
    private static final long PERIOD_MILLIS = 100;
    private static final long LIMIT_SECONDS = 30;

    private final List<Long> agents;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final CountDownLatch stop = new CountDownLatch(1);
    private ProcessFigures most;

    private AgentSampler(List<Long> agents) {
        this.agents = agents;
        this.most = now(agents);
    }

    static AgentSampler start(List<Long> agents) {
        AgentSampler watch = new AgentSampler(agents);
        watch.thread.execute(watch::lookUntilStopped);
        return watch;
    }

    /** Returns the largest current value of each quantity among the agents. */
    static ProcessFigures now(List<Long> agents) {
        return agents.stream()
                .map(agent -> ProcessFigures.of(agent)
                        .orElseThrow(() -> BoltException.failed("the agent with process id " + agent + " has ended")))
                .reduce(ProcessFigures::most)
                .orElseThrow();
    }

    private void lookUntilStopped() {
        try {
            while (!stop.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        most = most.most(now(agents));
    }

    ProcessFigures most() {
        close();
        look();
        return most;
    }

    @Override
    public void close() {
        stop.countDown();
        thread.shutdown();
        try {
            if (!thread.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw BoltException.failed("looking at the agents takes more than " + LIMIT_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted");
        }
    }
}
