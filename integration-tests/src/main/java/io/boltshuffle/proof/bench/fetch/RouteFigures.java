package io.boltshuffle.proof.bench.fetch;

import io.boltshuffle.bench.CpuNanos;
import io.boltshuffle.bench.FetchSample;
import io.boltshuffle.proof.bench.report.Samples;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The samples of one route at one point of the measurement, in the units of the report. GB are powers of ten. */
record RouteFigures(List<FetchSample> samples) {
    private static final double MILLI = 1e6;

    Samples gigabytesPerSecond() {
        return of(sample -> sample.bytes() / (double) sample.wallNanos());
    }

    /** Returns the CPU seconds per GB of both executors and both agents, which a machine with real cables spends. */
    Samples cpuSecondsPerGigabyte() {
        return of(sample ->
                perByte(sample, sample.cpu().executors() + sample.cpu().agents()));
    }

    Samples executorCpu() {
        return perByte(CpuNanos::executors);
    }

    Samples agentCpu() {
        return perByte(CpuNanos::agents);
    }

    Samples emulatorCpu() {
        return perByte(CpuNanos::emulator);
    }

    Samples p50Millis() {
        return of(sample -> sample.latency().p50() / MILLI);
    }

    Samples p99Millis() {
        return of(sample -> sample.latency().p99() / MILLI);
    }

    /** Returns the MB on the fetching executor's heap for each GB of blocks. */
    Samples allocatedMegabytesPerGigabyte() {
        return of(sample -> perByte(sample, sample.allocatedBytes()) * 1e3);
    }

    /** Returns the part of the bytes that went by RDMA. */
    Samples rdmaShare() {
        return of(sample -> perByte(sample, sample.rdmaBytes()));
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("gigabytesPerSecond", gigabytesPerSecond().toJson());
        json.put("cpuSecondsPerGigabyte", cpuSecondsPerGigabyte().toJson());
        json.put("executorCpuSecondsPerGigabyte", executorCpu().toJson());
        json.put("agentCpuSecondsPerGigabyte", agentCpu().toJson());
        json.put("emulatorCpuSecondsPerGigabyte", emulatorCpu().toJson());
        json.put("p50Millis", p50Millis().toJson());
        json.put("p99Millis", p99Millis().toJson());
        json.put(
                "allocatedMegabytesPerGigabyte", allocatedMegabytesPerGigabyte().toJson());
        json.put("rdmaShare", rdmaShare().toJson());
        return json;
    }

    private Samples perByte(ToLongFunction<CpuNanos> part) {
        return of(sample -> perByte(sample, part.applyAsLong(sample.cpu())));
    }

    /** Nanoseconds per byte are seconds per GB. */
    private static double perByte(FetchSample sample, long quantity) {
        return quantity / (double) sample.bytes();
    }

    private Samples of(ToDoubleFunction<FetchSample> quantity) {
        return Samples.of(samples.stream().map(quantity::applyAsDouble).toList());
    }
}
