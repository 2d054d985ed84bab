package io.boltshuffle.cli.doctor.probe;

import io.boltshuffle.os.OperatingSystem;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs every command that fits a host, host by host in parallel, command by command in order. The commands only read.
 */
public final class Collector {

    private Collector() {}

    /** Returns the evidence of each probe's host, in the order given. The sum of the commands' deadlines bounds it. */
    public static List<Evidence> collect(List<? extends Probe> probes) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, probes.size()));
        try {
            List<Callable<Evidence>> tasks = new ArrayList<>();
            probes.forEach(probe -> tasks.add(() -> collect(probe)));
            List<Evidence> evidence = new ArrayList<>();
            for (Future<Evidence> task : threads.invokeAll(tasks)) {
                evidence.add(task.get());
            }
            return evidence;
        } catch (ExecutionException e) {
            throw new IllegalStateException("collecting failed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    static Evidence collect(Probe probe) {
        Map<ProbeCommand, Outcome> outcomes = new EnumMap<>(ProbeCommand.class);
        Outcome uname = run(probe, ProbeCommand.UNAME);
        outcomes.put(ProbeCommand.UNAME, uname);
        OperatingSystem platform = OperatingSystem.ofName(uname.text().orElse(""));
        for (ProbeCommand command : ProbeCommand.values()) {
            if (command != ProbeCommand.UNAME && command.isFor(platform)) {
                // If listing devices hangs, opening them would only leave one more stuck process behind.
                boolean pointless = command == ProbeCommand.IBV_DEVINFO
                        && !outcomes.getOrDefault(ProbeCommand.IBV_DEVICES, Outcome.NOT_RUN)
                                .is(Outcome.Ending.RAN);
                outcomes.put(command, pointless ? Outcome.NOT_RUN : run(probe, command));
            }
        }
        return new Evidence(probe.host(), outcomes);
    }

    private static Outcome run(Probe probe, ProbeCommand command) {
        return probe.run(command.arguments(), command.deadline());
    }
}
