package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.proof.bench.inspark.TaskFigures;
import io.boltshuffle.proof.bench.report.Quantity;
import io.boltshuffle.proof.bench.report.SampleSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The quantities of what a piece costs with one shuffle. */
final class Cost {
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;

    static final Quantity<Measured> WALL =
            Quantity.of("wallSeconds", "%.2f", each -> each.sample().wallNanos() / NANOS);

    /** CPU time of executors and agents, which a machine with real cables spends. */
    static final Quantity<Measured> CPU = Quantity.of(
            "cpuSeconds",
            "%.2f",
            each -> (each.sample().cpu().executors() + each.sample().cpu().agents()) / NANOS);

    /** The part of it that threads which run tasks spend; those of compilers and collectors are the executors', too. */
    static final Quantity<Measured> TASK_CPU =
            Quantity.of("taskCpuSeconds", "%.2f", each -> each.sample().tasks().cpuNanos() / NANOS);

    static final Quantity<Measured> AGENT_CPU =
            Quantity.of("agentCpuSeconds", "%.2f", each -> each.sample().cpu().agents() / NANOS);
    static final Quantity<Measured> EMULATOR_CPU = Quantity.of(
            "emulatorCpuSeconds", "%.2f", each -> each.sample().cpu().emulator() / NANOS);

    /** The time for which executors stood still for collectors, each counted once however many tasks it ran. */
    static final Quantity<Measured> GC =
            Quantity.of("gcSeconds", "%.2f", each -> each.sample().heap().pauseMillis() / MILLIS);

    static final Quantity<Measured> COLLECTIONS =
            Quantity.of("collections", "%.0f", each -> each.sample().heap().collections());
    static final Quantity<Measured> ALLOCATED = Quantity.of(
            "allocatedMegabytes", "%.0f", each -> each.sample().heap().allocatedBytes() / 1e6);

    /** The part of the tasks' time in which they waited for blocks. */
    static final Quantity<Measured> WAIT = Quantity.share(
            "fetchWaitShare", "%.1f%%", each -> waitShare(each.sample().tasks()));

    static final Quantity<Measured> REMOTE =
            Quantity.of("remoteMegabytes", "%.1f", each -> each.sample().tasks().remoteBytes() / 1e6);

    private static final List<Quantity<Measured>> ALL =
            List.of(WALL, CPU, TASK_CPU, AGENT_CPU, EMULATOR_CPU, GC, COLLECTIONS, ALLOCATED, WAIT, REMOTE);

    private Cost() {}

    private static double waitShare(TaskFigures tasks) {
        return tasks.runMillis() == 0 ? 0 : tasks.fetchWaitMillis() / (double) tasks.runMillis();
    }

    /** Returns the smallest share of all runs; empty for stock Spark. */
    static OptionalDouble rdmaShare(SampleSet<Measured> figures) {
        return figures.samples().stream()
                .flatMapToDouble(each -> each.rdmaShare().stream())
                .min();
    }

    static List<String> answers(SampleSet<Measured> figures) {
        return figures.samples().stream()
                .map(each -> each.sample().answer())
                .distinct()
                .toList();
    }

    static Map<String, Object> toJson(SampleSet<Measured> figures) {
        Map<String, Object> json = figures.toJson(ALL);
        rdmaShare(figures).ifPresent(share -> json.put("rdmaShare", share));
        return json;
    }
}
