package io.boltshuffle.proof.soak;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;

/**
 * Lets one fault after the other strike for a given time, or until RDMA is lost. Then it waits until blocks go by RDMA
 * again, and ends the application. Every kind of fault comes once before any comes again; the seed decides their order,
 * their length and their targets.
 *
 * <p><b>Threads:</b> {@link #call} has one of its own.
 */
final class FaultSchedule implements Callable<FaultSchedule.Outcome> {
    private static final int SHORTEST_MILLIS = 1_500;
    private static final int LONGEST_MILLIS = 6_000;
    private static final double HEAP_PERIOD_SECONDS = 15;
    static final Duration RECOVERY = Duration.ofMinutes(3);

    /**
     * The number of faults after which the next fault waits for RDMA, so that some faults show how long RDMA takes to
     * come back, however long that is.
     */
    private static final int FAULTS_PER_CALM = 4;

    private static final long POLL_MILLIS = 500;

    private final Targets targets;
    private final AgentRecords agents;
    private final Curves curves;
    private final Plan plan;
    private final Console console;
    private final Random random;
    private final Deque<Fault> round = new ArrayDeque<>();
    private final List<FaultEvent> events = new ArrayList<>();
    private double nextHeapSeconds;

    /** @param end a file that is created when everything is over */
    record Plan(Duration faults, long seed, Path end) {}

    /**
     * The events so far.
     *
     * @param isRecovered whether blocks went by RDMA again after the last fault
     * @param arrivals until then
     */
    record Outcome(List<FaultEvent> events, boolean isRecovered, Arrivals arrivals) {}

    FaultSchedule(Targets targets, AgentRecords agents, Curves curves, Plan plan, Console console) {
        this.targets = targets;
        this.agents = agents;
        this.curves = curves;
        this.plan = plan;
        this.console = console;
        this.random = new Random(plan.seed());
    }

    @Override
    public Outcome call() throws InterruptedException {
        try (LiveHeap heap = new LiveHeap()) {
            if (!isRdmaBackWithin(RECOVERY)) {
                throw BoltException.failed(
                        "no block came by RDMA in the beginning, for " + RECOVERY.toMinutes() + " minutes");
            }
            long deadlineNanos = System.nanoTime() + plan.faults().toNanos();
            while (System.nanoTime() - deadlineNanos < 0 && !isRdmaLost()) {
                strike(next());
                sample(heap);
                if (random.nextInt(FAULTS_PER_CALM) == 0) {
                    isRdmaBackWithin(Recoveries.LONGEST_GAP);
                }
                pause(random.nextInt(LONGEST_MILLIS / 2));
            }
            boolean isRecovered = isRdmaBackWithin(RECOVERY);
            return new Outcome(List.copyOf(events), isRecovered, curves.arrivals());
        } finally {
            end();
        }
    }

    private Fault next() {
        if (round.isEmpty()) {
            List<Fault> kinds = new ArrayList<>(Arrays.asList(Fault.values()));
            Collections.shuffle(kinds, random);
            round.addAll(kinds);
        }
        return round.removeFirst();
    }

    private void strike(Fault fault) throws InterruptedException {
        double at = curves.seconds();
        console.line(String.format(Locale.ROOT, "%6.0f s: %s", at, fault.label()));
        try {
            fault.strike(targets, random);
            pause(SHORTEST_MILLIS + random.nextInt(LONGEST_MILLIS - SHORTEST_MILLIS));
        } finally {
            targets.heal();
        }
        events.add(new FaultEvent(fault, at, curves.seconds() - at));
    }

    /** Takes a sample. It does so only between faults, because a stopped process would not answer. */
    private void sample(LiveHeap heap) {
        if (curves.seconds() < nextHeapSeconds) {
            return;
        }
        nextHeapSeconds = curves.seconds() + HEAP_PERIOD_SECONDS;
        for (ClusterProcess process : ClusterProcess.running()) {
            heap.bytes(process.pid())
                    .ifPresent(bytes -> curves.add(process.name(), process.pid(), WatchedResource.LIVE_HEAP, bytes));
        }
    }

    /** Returns whether RDMA is lost. The soak has failed then and need not continue. */
    private boolean isRdmaLost() {
        return curves.arrivals().longestGap().seconds() > Recoveries.LONGEST_GAP.toSeconds();
    }

    /** Waits until a block comes by RDMA; returns false if none does. */
    private boolean isRdmaBackWithin(Duration patience) throws InterruptedException {
        long before = agents.fetchedBytes();
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (agents.fetchedBytes() <= before) {
            if (System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            pause(POLL_MILLIS);
        }
        return true;
    }

    private static void pause(long millis) throws InterruptedException {
        Thread.sleep(millis);
    }

    private void end() {
        try {
            Files.createFile(plan.end());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
