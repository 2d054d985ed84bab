package io.boltshuffle.proof.bench.blocks;

import io.boltshuffle.bench.blocks.BlockWork;
import io.boltshuffle.bench.blocks.BlocksBenchPlan;
import io.boltshuffle.bench.blocks.BlocksSample;
import io.boltshuffle.proof.bench.report.Samples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** One kind of blocks of one size, with either. GB are powers of ten. */
record BlocksPoint(BlockWork work, long bytes, Figures stock, Figures boltshuffle) {
    private static final double NANOS_PER_MILLI = 1e6;

    private record Key(BlockWork work, long bytes) {}

    /** The samples of either, at least one, in the units of the report. */
    record Figures(List<BlocksSample> samples) {

        Samples millis() {
            return of(sample -> sample.wallNanos() / NANOS_PER_MILLI);
        }

        /** Returns the 99th percentile by the nearest rank: the maximum of fewer than a hundred. */
        double p99Millis() {
            List<Double> sorted = millis().values().stream().sorted().toList();
            return sorted.get((sorted.size() * 99 + 99) / 100 - 1);
        }

        /** Returns CPU seconds per GB of driver, executors and agents; nanoseconds per byte are the same. */
        Samples cpuSecondsPerGigabyte() {
            return of(sample -> (sample.cpu().executors() + sample.cpu().agents()) / (double) sample.bytes());
        }

        Samples emulatorCpu() {
            return of(sample -> sample.cpu().emulator() / (double) sample.bytes());
        }

        /** Returns how many times the bytes were allocated on the reader's heap. */
        Samples heapRatio() {
            return of(sample -> sample.allocatedBytes() / (double) sample.bytes());
        }

        /** Returns the part of the bytes that came by RDMA, at most 1. */
        Samples rdmaShare() {
            return of(sample -> Math.min(1, sample.rdmaBytes() / (double) sample.bytes()));
        }

        private Samples of(ToDoubleFunction<BlocksSample> quantity) {
            return Samples.of(samples.stream().map(quantity::applyAsDouble).toList());
        }

        private Map<String, Object> toJson() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("millis", millis().toJson());
            json.put("p99Millis", p99Millis());
            json.put("cpuSecondsPerGigabyte", cpuSecondsPerGigabyte().toJson());
            json.put("emulatorCpuSecondsPerGigabyte", emulatorCpu().toJson());
            json.put("heapRatio", heapRatio().toJson());
            json.put("rdmaShare", rdmaShare().toJson());
            return json;
        }
    }

    /** Returns what both measured, in the order in which it was measured. */
    static List<BlocksPoint> of(List<BlocksSample> stock, List<BlocksSample> boltshuffle) {
        Map<Key, List<BlocksSample>> ofStock = byKey(stock);
        Map<Key, List<BlocksSample>> ours = byKey(boltshuffle);
        List<BlocksPoint> points = new ArrayList<>();
        ofStock.forEach((key, samples) -> {
            if (ours.containsKey(key)) {
                points.add(new BlocksPoint(key.work(), key.bytes(), new Figures(samples), new Figures(ours.get(key))));
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
        return boltshuffle.millis().median() / stock.millis().median();
    }

    double p99Ratio() {
        return boltshuffle.p99Millis() / stock.p99Millis();
    }

    /** Returns nothing for small ones: processes tell their CPU time in hundredths of a second. */
    OptionalDouble cpuRatio() {
        return bytes <= BlocksBenchPlan.SMALL_BYTES
                ? OptionalDouble.empty()
                : OptionalDouble.of(boltshuffle.cpuSecondsPerGigabyte().median()
                        / stock.cpuSecondsPerGigabyte().median());
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("work", work.label());
        json.put("bytes", bytes);
        json.put("stock", stock.toJson());
        json.put("boltshuffle", boltshuffle.toJson());
        json.put("timeRatio", timeRatio());
        json.put("p99Ratio", p99Ratio());
        cpuRatio().ifPresent(ratio -> json.put("cpuRatio", ratio));
        return json;
    }
}
