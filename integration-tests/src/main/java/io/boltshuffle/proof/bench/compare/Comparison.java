package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.bench.JobBench;
import io.boltshuffle.proof.bench.report.SampleSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One piece with both shuffles.
 *
 * @param beside stock Spark in the other ways that took part, in the order in which they were measured first
 */
record Comparison(
        String title,
        SampleSet<Measured> stock,
        Map<Contender, SampleSet<Measured>> beside,
        SampleSet<Measured> boltshuffle) {
    /** The aim of boltshuffle against stock Spark. */
    static final String AIM = "the median is not slower than the slowest run with stock";

    private static final double LEAST_RDMA_SHARE = 0.99;

    /**
     * Returns the comparisons in the order in which their pieces were measured first. A piece that has not been
     * measured with both shuffles is left out.
     */
    static List<Comparison> of(List<Measured> measured) {
        return byTitle(measured).entrySet().stream()
                .flatMap(entry -> of(entry.getKey(), byContender(entry.getValue())).stream())
                .toList();
    }

    /** Returns what was measured of pieces that have not been measured with both shuffles. */
    static List<Measured> unpaired(List<Measured> measured) {
        return byTitle(measured).entrySet().stream()
                .filter(entry ->
                        of(entry.getKey(), byContender(entry.getValue())).isEmpty())
                .flatMap(entry -> entry.getValue().stream())
                .toList();
    }

    private static Optional<Comparison> of(String title, Map<Contender, SampleSet<Measured>> all) {
        Map<Contender, SampleSet<Measured>> beside = new LinkedHashMap<>(all);
        SampleSet<Measured> stock = beside.remove(Contender.STOCK);
        SampleSet<Measured> boltshuffle = beside.remove(Contender.BOLTSHUFFLE);
        return stock == null || boltshuffle == null
                ? Optional.empty()
                : Optional.of(new Comparison(title, stock, beside, boltshuffle));
    }

    private static Map<String, List<Measured>> byTitle(List<Measured> measured) {
        return measured.stream()
                .collect(Collectors.groupingBy(Measured::title, LinkedHashMap::new, Collectors.toList()));
    }

    private static Map<Contender, SampleSet<Measured>> byContender(List<Measured> measured) {
        return measured.stream()
                .collect(Collectors.groupingBy(
                        Measured::contender,
                        LinkedHashMap::new,
                        Collectors.collectingAndThen(Collectors.toList(), SampleSet::new)));
    }

    /** Returns whether {@link #AIM} holds. */
    boolean holds() {
        return failsInStock()
                || boltshuffle.median(Cost.WALL) <= stock.of(Cost.WALL).most();
    }

    double wallRatio() {
        return boltshuffle.median(Cost.WALL) / stock.median(Cost.WALL);
    }

    /** Returns the ratio to stock Spark in another way, or NaN where that took no part. */
    double wallRatio(Contender other) {
        SampleSet<Measured> figures = beside.get(other);
        return figures == null ? Double.NaN : boltshuffle.median(Cost.WALL) / figures.median(Cost.WALL);
    }

    /** Returns the times of stock Spark in another way, or a dash where that took no part. */
    String wall(Contender other) {
        SampleSet<Measured> figures = beside.get(other);
        return figures == null ? "-" : figures.spread(Cost.WALL);
    }

    double cpuRatio() {
        return boltshuffle.median(Cost.CPU) / stock.median(Cost.CPU);
    }

    /** Returns whether the plugin gave another answer than stock Spark, which always gave the same and did not fail. */
    boolean differs() {
        return Cost.answers(stock).size() == 1
                && !failsInStock()
                && !Cost.answers(boltshuffle).equals(Cost.answers(stock));
    }

    boolean failsInStock() {
        return Cost.answers(stock).stream().allMatch(answer -> answer.startsWith(JobBench.FAILED));
    }

    /** Returns why the answers say nothing, if so. */
    Optional<String> notCompared() {
        List<String> answers = Cost.answers(stock);
        return failsInStock()
                ? Optional.of("because it fails with stock Spark: " + title + ", " + answers.get(0))
                : answers.size() > 1
                        ? Optional.of("because stock Spark gives two answers: " + title)
                        : Optional.empty();
    }

    /**
     * Returns why this compares nothing, if so. A piece to which stock Spark itself gives two answers does not count
     * against the plugin.
     */
    Optional<String> fault() {
        if (differs()) {
            return Optional.of(title + " gave " + Cost.answers(boltshuffle) + " in place of " + Cost.answers(stock));
        }
        double share = Cost.rdmaShare(boltshuffle).orElse(0);
        if (share < LEAST_RDMA_SHARE) {
            return Optional.of(
                    title + ": in one run only " + Math.floor(share * 1000) / 10 + " % of the bytes came by RDMA");
        }
        return Optional.empty();
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("title", title);
        json.put("stock", Cost.toJson(stock));
        beside.forEach((contender, figures) -> json.put(contender.label(), Cost.toJson(figures)));
        json.put("boltshuffle", Cost.toJson(boltshuffle));
        json.put("wallRatio", wallRatio());
        json.put("cpuRatio", cpuRatio());
        beside.keySet().forEach(contender -> json.put(contender.label() + "WallRatio", wallRatio(contender)));
        json.put("holds", holds());
        return json;
    }
}
