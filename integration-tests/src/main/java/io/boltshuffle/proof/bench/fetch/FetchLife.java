package io.boltshuffle.proof.bench.fetch;

import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.TracedStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * One fetch from the moment when a task asks until it has the blocks, by the steps of executors and agents.
 *
 * @param steps in their order: first {@link FetchStep#ASKED}, last {@link FetchStep#DELIVERED}
 */
public record FetchLife(List<TracedStep> steps) {

    public FetchLife {
        steps = List.copyOf(steps);
        if (steps.isEmpty()
                || steps.get(0).step() != FetchStep.ASKED
                || steps.get(steps.size() - 1).step() != FetchStep.DELIVERED) {
            throw new IllegalArgumentException("not the steps of one fetch: " + steps);
        }
    }

    /** Returns the fetches of a trace's file, the first one first. They must have come one after the other. */
    public static List<FetchLife> read(Path trace) throws IOException {
        try (Stream<String> lines = Files.lines(trace)) {
            return of(lines.map(TracedStep::parse).toList());
        }
    }

    /** Returns the fetches that were over when the trace ended. */
    static List<FetchLife> of(List<TracedStep> steps) {
        List<FetchLife> lives = new ArrayList<>();
        List<TracedStep> current = new ArrayList<>();
        for (TracedStep step : inOrder(steps)) {
            if (step.step() == FetchStep.ASKED) {
                current.clear();
            }
            boolean isOfOneBefore = current.isEmpty() && step.step() != FetchStep.ASKED;
            if (isOfOneBefore || !step.step().isWaitedFor()) {
                continue;
            }
            current.add(step);
            if (step.step() == FetchStep.DELIVERED) {
                lives.add(new FetchLife(current));
                current.clear();
            }
        }
        return lives;
    }

    private static List<TracedStep> inOrder(List<TracedStep> steps) {
        return steps.stream()
                .sorted(Comparator.comparingLong(TracedStep::nanos))
                .toList();
    }

    /** Returns how long the task waited. */
    public long nanos() {
        return steps.get(steps.size() - 1).nanos() - steps.get(0).nanos();
    }

    /** Returns how often a step on this host was taken by another thread than the host's step before. */
    public int handOffs(FetchStep.Host host) {
        List<TracedStep> onHost =
                steps.stream().filter(step -> step.step().host() == host).toList();
        int changes = 0;
        for (int i = 1; i < onHost.size(); i++) {
            if (!onHost.get(i).isOnThreadOf(onHost.get(i - 1))) {
                changes++;
            }
        }
        return changes;
    }
}
