package io.boltshuffle.proof.bench.fetch;

import io.boltshuffle.proof.bench.inspark.FetchRoute;
import io.boltshuffle.proof.bench.inspark.FetchSample;
import io.boltshuffle.proof.bench.report.SampleSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Both routes at one point of the measurement: same setup, same blocks, same number of fetchers. */
record FetchPoint(
        FetchSetup setup,
        int blockBytes,
        int fetchers,
        SampleSet<FetchSample> stock,
        SampleSet<FetchSample> boltshuffle) {

    private record Key(int blockBytes, int fetchers) {}

    /**
     * Returns the points in the order in which they were measured. A point that only one route has been measured at is
     * left out.
     */
    static List<FetchPoint> of(FetchSetup setup, List<FetchSample> samples) {
        Map<Key, List<FetchSample>> points = new LinkedHashMap<>();
        for (FetchSample sample : samples) {
            points.computeIfAbsent(new Key(sample.blockBytes(), sample.fetchers()), any -> new ArrayList<>())
                    .add(sample);
        }
        return points.entrySet().stream()
                .filter(point -> point.getValue().stream()
                                .map(FetchSample::route)
                                .distinct()
                                .count()
                        == FetchRoute.values().length)
                .map(point -> new FetchPoint(
                        setup,
                        point.getKey().blockBytes(),
                        point.getKey().fetchers(),
                        by(FetchRoute.NETTY, point.getValue()),
                        by(FetchRoute.BOLTSHUFFLE, point.getValue())))
                .toList();
    }

    private static SampleSet<FetchSample> by(FetchRoute route, List<FetchSample> samples) {
        return new SampleSet<>(
                samples.stream().filter(sample -> sample.route() == route).toList());
    }

    double cpuRatio() {
        return boltshuffle.median(FetchCost.CPU) / stock.median(FetchCost.CPU);
    }

    /** Returns the limit on {@link #cpuRatio}, if there is one. */
    OptionalDouble cpuRatioLimit() {
        return CpuLimit.of(setup.cables(), blockBytes);
    }

    double throughputRatio() {
        return boltshuffle.median(FetchCost.SPEED) / stock.median(FetchCost.SPEED);
    }

    double p99Ratio() {
        return boltshuffle.median(FetchCost.P99) / stock.median(FetchCost.P99);
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("cables", setup.cables().label());
        json.put("path", setup.path().toString());
        json.put("baseline", setup.baseline().toString());
        json.put("blockBytes", blockBytes);
        json.put("fetchers", fetchers);
        json.put("stock", stock.toJson(FetchCost.ALL));
        json.put("boltshuffle", boltshuffle.toJson(FetchCost.ALL));
        json.put("cpuRatio", cpuRatio());
        cpuRatioLimit().ifPresent(limit -> json.put("cpuRatioLimit", limit));
        json.put("throughputRatio", throughputRatio());
        json.put("p99Ratio", p99Ratio());
        return json;
    }
}
