package io.boltshuffle.proof.bench.blocks;

import io.boltshuffle.proof.bench.blocks.inspark.BlockWork;
import io.boltshuffle.proof.bench.blocks.inspark.BlocksBenchPlan;
import io.boltshuffle.proof.bench.blocks.inspark.BlocksSample;
import io.boltshuffle.proof.bench.report.Quantity;
import io.boltshuffle.proof.bench.report.SampleSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** One kind of blocks of one size, with either. GB are powers of ten, so nanoseconds per byte are s/GB. */
record BlocksPoint(BlockWork work, long bytes, SampleSet<BlocksSample> stock, SampleSet<BlocksSample> boltshuffle) {
    static final Quantity<BlocksSample> MILLIS = Quantity.of("millis", "%.1f", sample -> sample.wallNanos() / 1e6);

    /** CPU of driver, executors and agents. */
    static final Quantity<BlocksSample> CPU = Quantity.of(
            "cpuSecondsPerGigabyte",
            "%.2f",
            sample -> (sample.cpu().executors() + sample.cpu().agents()) / (double) sample.bytes());

    static final Quantity<BlocksSample> EMULATOR_CPU = Quantity.of(
            "emulatorCpuSecondsPerGigabyte", "%.2f", sample -> sample.cpu().emulator() / (double) sample.bytes());

    /** The memory allocated on the reader's heap, as a multiple of the bytes that were read. */
    static final Quantity<BlocksSample> HEAP =
            Quantity.of("heapRatio", "%.2f", sample -> sample.allocatedBytes() / (double) sample.bytes());

    /** The part of the bytes that came by RDMA, at most 1. */
    static final Quantity<BlocksSample> RDMA_SHARE =
            Quantity.share("rdmaShare", "%.0f%%", sample -> Math.min(1, sample.rdmaBytes() / (double) sample.bytes()));

    private static final List<Quantity<BlocksSample>> ALL = List.of(MILLIS, CPU, EMULATOR_CPU, HEAP, RDMA_SHARE);

    private record Key(BlockWork work, long bytes) {}

    /** Returns the 99th percentile by the nearest rank: the maximum of fewer than a hundred. */
    static double p99Millis(SampleSet<BlocksSample> figures) {
        List<Double> sorted = figures.of(MILLIS).values().stream().sorted().toList();
        return sorted.get((sorted.size() * 99 + 99) / 100 - 1);
    }

    /** Returns what both measured, in the order in which it was measured. */
    static List<BlocksPoint> of(List<BlocksSample> stock, List<BlocksSample> boltshuffle) {
        Map<Key, List<BlocksSample>> ofStock = byKey(stock);
        Map<Key, List<BlocksSample>> ours = byKey(boltshuffle);
        List<BlocksPoint> points = new ArrayList<>();
        ofStock.forEach((key, samples) -> {
            if (ours.containsKey(key)) {
                points.add(new BlocksPoint(
                        key.work(), key.bytes(), new SampleSet<>(samples), new SampleSet<>(ours.get(key))));
            }
        });
        return List.copyOf(points);
    }

    private static Map<Key, List<BlocksSample>> byKey(List<BlocksSample> samples) {
        Map<Key, List<BlocksSample>> byKey = new LinkedHashMap<>();
        samples.forEach(
                sample -> byKey.computeIfAbsent(new Key(sample.work(), sample.bytes()), any -> new ArrayList<>())
                        .add(sample));
        return byKey;
    }

    double timeRatio() {
        return boltshuffle.median(MILLIS) / stock.median(MILLIS);
    }

    double p99Ratio() {
        return p99Millis(boltshuffle) / p99Millis(stock);
    }

    /** Returns nothing for small ones: processes tell their CPU time in hundredths of a second. */
    OptionalDouble cpuRatio() {
        return bytes <= BlocksBenchPlan.SMALL_BYTES
                ? OptionalDouble.empty()
                : OptionalDouble.of(boltshuffle.median(CPU) / stock.median(CPU));
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("work", work.label());
        json.put("bytes", bytes);
        json.put("stock", toJson(stock));
        json.put("boltshuffle", toJson(boltshuffle));
        json.put("timeRatio", timeRatio());
        json.put("p99Ratio", p99Ratio());
        cpuRatio().ifPresent(ratio -> json.put("cpuRatio", ratio));
        return json;
    }

    private static Map<String, Object> toJson(SampleSet<BlocksSample> figures) {
        Map<String, Object> json = figures.toJson(ALL);
        json.put("p99Millis", p99Millis(figures));
        return json;
    }
}
