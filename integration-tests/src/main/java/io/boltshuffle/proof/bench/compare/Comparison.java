package io.boltshuffle.proof.bench.compare;

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
        String title, VariantFigures stock, Map<Contender, VariantFigures> beside, VariantFigures boltshuffle) {
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

    private static Optional<Comparison> of(String title, Map<Contender, VariantFigures> all) {
        Map<Contender, VariantFigures> beside = new LinkedHashMap<>(all);
        VariantFigures stock = beside.remove(Contender.STOCK);
        VariantFigures boltshuffle = beside.remove(Contender.BOLTSHUFFLE);
        return stock == null || boltshuffle == null
                ? Optional.empty()
                : Optional.of(new Comparison(title, stock, beside, boltshuffle));
    }

    private static Map<String, List<Measured>> byTitle(List<Measured> measured) {
        return measured.stream()
                .collect(Collectors.groupingBy(Measured::title, LinkedHashMap::new, Collectors.toList()));
    }

    private static Map<Contender, VariantFigures> byContender(List<Measured> measured) {
        return measured.stream()
                .collect(Collectors.groupingBy(
                        Measured::contender,
                        LinkedHashMap::new,
                        Collectors.collectingAndThen(Collectors.toList(), VariantFigures::new)));
    }

    /** Returns whether {@link #AIM} holds. */
    boolean holds() {
        return boltshuffle.wallSeconds().median() <= stock.wallSeconds().most();
    }

    double wallRatio() {
        return boltshuffle.wallSeconds().median() / stock.wallSeconds().median();
    }

    /** Returns the ratio to stock Spark in another way, or NaN where that took no part. */
    double wallRatio(Contender other) {
        VariantFigures figures = beside.get(other);
        return figures == null
                ? Double.NaN
                : boltshuffle.wallSeconds().median() / figures.wallSeconds().median();
    }

    double cpuRatio() {
        return boltshuffle.cpuSeconds().median() / stock.cpuSeconds().median();
    }

    /**
     * Returns why this compares nothing, if so. A piece to which stock Spark itself gives two answers does not count
     * against the plugin.
     */
    Optional<String> fault() {
        if (stock.answers().size() == 1 && !boltshuffle.answers().equals(stock.answers())) {
            return Optional.of(title + " gave " + boltshuffle.answers() + " in place of " + stock.answers());
        }
        double share = boltshuffle.rdmaShare().orElse(0);
        if (share < LEAST_RDMA_SHARE) {
            return Optional.of(
                    title + ": in one run only " + Math.floor(share * 1000) / 10 + " % of the bytes came by RDMA");
        }
        return Optional.empty();
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("title", title);
        json.put("stock", stock.toJson());
        beside.forEach((contender, figures) -> json.put(contender.label(), figures.toJson()));
        json.put("boltshuffle", boltshuffle.toJson());
        json.put("wallRatio", wallRatio());
        json.put("cpuRatio", cpuRatio());
        beside.keySet().forEach(contender -> json.put(contender.label() + "WallRatio", wallRatio(contender)));
        json.put("holds", holds());
        return json;
    }
}
