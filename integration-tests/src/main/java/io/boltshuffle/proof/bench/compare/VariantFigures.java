package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.bench.PieceSample;
import io.boltshuffle.bench.TaskFigures;
import io.boltshuffle.proof.bench.report.Samples;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** All measurements of one piece with one shuffle, at least one, in the units of the report. */
record VariantFigures(List<Measured> measured) {
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;

    Samples wallSeconds() {
        return of(sample -> sample.wallNanos() / NANOS);
    }

    /** Returns the CPU time of executors and agents, which a machine with real cables spends. */
    Samples cpuSeconds() {
        return of(sample -> (sample.cpu().executors() + sample.cpu().agents()) / NANOS);
    }

    /**
     * Returns the part of it that threads which run tasks spend. The threads of compilers and collectors belong to the
     * executors, too.
     */
    Samples taskCpuSeconds() {
        return of(sample -> sample.tasks().cpuNanos() / NANOS);
    }

    Samples agentCpuSeconds() {
        return of(sample -> sample.cpu().agents() / NANOS);
    }

    Samples emulatorCpuSeconds() {
        return of(sample -> sample.cpu().emulator() / NANOS);
    }

    /** Returns how long executors stood still for collectors, each counted once however many tasks it ran. */
    Samples gcSeconds() {
        return of(sample -> sample.heap().pauseMillis() / MILLIS);
    }

    Samples collections() {
        return of(sample -> sample.heap().collections());
    }

    Samples allocatedMegabytes() {
        return of(sample -> sample.heap().allocatedBytes() / 1e6);
    }

    /** Returns the part of the tasks' time in which they waited for blocks. */
    Samples fetchWaitShare() {
        return of(sample -> fetchWaitShare(sample.tasks()));
    }

    private static double fetchWaitShare(TaskFigures tasks) {
        return tasks.runMillis() == 0 ? 0 : tasks.fetchWaitMillis() / (double) tasks.runMillis();
    }

    Samples remoteMegabytes() {
        return of(sample -> sample.tasks().remoteBytes() / 1e6);
    }

    /** Returns the smallest share of all runs; empty for stock Spark. */
    OptionalDouble rdmaShare() {
        return measured.stream()
                .flatMapToDouble(each -> each.rdmaShare().stream())
                .min();
    }

    List<String> answers() {
        return measured.stream().map(each -> each.sample().answer()).distinct().toList();
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("wallSeconds", wallSeconds().toJson());
        json.put("cpuSeconds", cpuSeconds().toJson());
        json.put("taskCpuSeconds", taskCpuSeconds().toJson());
        json.put("agentCpuSeconds", agentCpuSeconds().toJson());
        json.put("emulatorCpuSeconds", emulatorCpuSeconds().toJson());
        json.put("gcSeconds", gcSeconds().toJson());
        json.put("collections", collections().toJson());
        json.put("allocatedMegabytes", allocatedMegabytes().toJson());
        json.put("fetchWaitShare", fetchWaitShare().toJson());
        json.put("remoteMegabytes", remoteMegabytes().toJson());
        rdmaShare().ifPresent(share -> json.put("rdmaShare", share));
        return json;
    }

    private Samples of(ToDoubleFunction<PieceSample> quantity) {
        return Samples.of(measured.stream()
                .map(each -> quantity.applyAsDouble(each.sample()))
                .toList());
    }
}
