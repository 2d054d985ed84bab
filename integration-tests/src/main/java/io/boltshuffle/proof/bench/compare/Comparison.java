package io.boltshuffle.proof.bench.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One piece with both shuffles.
 *
 * @param tuned stock Spark with settings made by hand, where that took part
 */
record Comparison(String title, VariantFigures stock, Optional<VariantFigures> tuned, VariantFigures boltshuffle) {
    private static final double LEAST_RDMA_SHARE = 0.99;

    /** Returns the comparisons in the order in which their pieces were measured first. */
    static List<Comparison> of(List<Measured> measured) {
        Map<String, List<Measured>> byTitle = new LinkedHashMap<>();
        measured.forEach(each -> byTitle.computeIfAbsent(each.title(), title -> new ArrayList<>())
                .add(each));
        return byTitle.entrySet().stream()
                .map(entry -> new Comparison(
                        entry.getKey(),
                        by(Contender.STOCK, entry.getValue()).orElseThrow(),
                        by(Contender.TUNED, entry.getValue()),
                        by(Contender.BOLTSHUFFLE, entry.getValue()).orElseThrow()))
                .toList();
    }

    private static Optional<VariantFigures> by(Contender contender, List<Measured> measured) {
        List<Measured> its =
                measured.stream().filter(each -> each.contender() == contender).toList();
        return its.isEmpty() ? Optional.empty() : Optional.of(new VariantFigures(its));
    }

    double wallRatio() {
        return boltshuffle.wallSeconds().median() / stock.wallSeconds().median();
    }

    /** Returns the ratio to stock Spark tuned by hand, or NaN where that took no part. */
    double tunedRatio() {
        return tuned.map(figures -> boltshuffle.wallSeconds().median()
                        / figures.wallSeconds().median())
                .orElse(Double.NaN);
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

    Map<String, Object> toJson(Aim aim) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("title", title);
        json.put("stock", stock.toJson());
        tuned.ifPresent(figures -> json.put("tuned", figures.toJson()));
        json.put("boltshuffle", boltshuffle.toJson());
        json.put("wallRatio", wallRatio());
        json.put("cpuRatio", cpuRatio());
        tuned.ifPresent(figures -> json.put("tunedWallRatio", tunedRatio()));
        json.put("holds", aim.holds(this));
        return json;
    }
}
