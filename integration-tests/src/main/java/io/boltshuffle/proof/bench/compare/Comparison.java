package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.cli.cluster.ShuffleVariant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One piece with both shuffles. */
record Comparison(String title, VariantFigures stock, VariantFigures boltshuffle) {
    private static final double LEAST_RDMA_SHARE = 0.99;

    /** Returns the comparisons in the order in which their pieces were measured first. */
    static List<Comparison> of(List<Measured> measured) {
        Map<String, List<Measured>> byTitle = new LinkedHashMap<>();
        measured.forEach(each -> byTitle.computeIfAbsent(each.title(), title -> new ArrayList<>())
                .add(each));
        return byTitle.entrySet().stream()
                .map(entry -> new Comparison(
                        entry.getKey(),
                        by(ShuffleVariant.STOCK, entry.getValue()),
                        by(ShuffleVariant.BOLTSHUFFLE, entry.getValue())))
                .toList();
    }

    private static VariantFigures by(ShuffleVariant variant, List<Measured> measured) {
        return new VariantFigures(
                measured.stream().filter(each -> each.variant() == variant).toList());
    }

    double wallRatio() {
        return boltshuffle.wallSeconds().median() / stock.wallSeconds().median();
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
        json.put("boltshuffle", boltshuffle.toJson());
        json.put("wallRatio", wallRatio());
        json.put("cpuRatio", cpuRatio());
        json.put("holds", aim.holds(this));
        return json;
    }
}
