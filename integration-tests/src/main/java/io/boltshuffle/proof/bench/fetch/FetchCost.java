package io.boltshuffle.proof.bench.fetch;

import io.boltshuffle.proof.bench.inspark.CpuNanos;
import io.boltshuffle.proof.bench.inspark.FetchSample;
import io.boltshuffle.proof.bench.report.Quantity;
import java.util.List;
import java.util.function.ToLongFunction;

/** The quantities of what fetching costs by one route. GB are powers of ten, so nanoseconds per byte are s/GB. */
final class FetchCost {
    private static final double MILLI = 1e6;

    static final Quantity<FetchSample> SPEED =
            Quantity.of("gigabytesPerSecond", "%.2f", sample -> sample.bytes() / (double) sample.wallNanos());

    /** CPU of both executors and both agents, which a machine with real cables spends. */
    static final Quantity<FetchSample> CPU = cpu("cpuSecondsPerGigabyte", cpu -> cpu.executors() + cpu.agents());

    static final Quantity<FetchSample> EXECUTOR_CPU = cpu("executorCpuSecondsPerGigabyte", CpuNanos::executors);
    static final Quantity<FetchSample> AGENT_CPU = cpu("agentCpuSecondsPerGigabyte", CpuNanos::agents);
    static final Quantity<FetchSample> EMULATOR_CPU = cpu("emulatorCpuSecondsPerGigabyte", CpuNanos::emulator);
    static final Quantity<FetchSample> P50 =
            Quantity.of("p50Millis", "%.2f", sample -> sample.latency().p50() / MILLI);
    static final Quantity<FetchSample> P99 =
            Quantity.of("p99Millis", "%.2f", sample -> sample.latency().p99() / MILLI);

    /** MB on the fetching executor's heap for each GB of blocks. */
    static final Quantity<FetchSample> ALLOCATED = Quantity.of(
            "allocatedMegabytesPerGigabyte", "%.1f", sample -> sample.allocatedBytes() * 1e3 / sample.bytes());

    static final Quantity<FetchSample> RDMA_SHARE =
            Quantity.share("rdmaShare", "%.0f%%", sample -> sample.rdmaBytes() / (double) sample.bytes());

    static final List<Quantity<FetchSample>> ALL =
            List.of(SPEED, CPU, EXECUTOR_CPU, AGENT_CPU, EMULATOR_CPU, P50, P99, ALLOCATED, RDMA_SHARE);

    private FetchCost() {}

    private static Quantity<FetchSample> cpu(String name, ToLongFunction<CpuNanos> part) {
        return Quantity.of(name, "%.3f", sample -> part.applyAsLong(sample.cpu()) / (double) sample.bytes());
    }
}
