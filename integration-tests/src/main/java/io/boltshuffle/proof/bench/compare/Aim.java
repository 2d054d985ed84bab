package io.boltshuffle.proof.bench.compare;

import java.util.function.Predicate;

/** The aims of boltshuffle against stock Spark in each comparison. */
public enum Aim {
    WAIT_HALVED(
            "tasks wait for blocks less than half as long as with stock, or less than 1 % of their time",
            comparison -> {
                double share = comparison.boltshuffle().fetchWaitShare().median();
                return share < 0.01
                        || share < comparison.stock().fetchWaitShare().median() / 2;
            }),
    NOT_SLOWER(
            "the median is not slower than the slowest run with stock",
            comparison -> comparison.boltshuffle().wallSeconds().median()
                    <= comparison.stock().wallSeconds().most());

    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // what is assigned captures nothing
    private final Predicate<Comparison> rule;

    Aim(String text, Predicate<Comparison> rule) {
        this.text = text;
        this.rule = rule;
    }

    String text() {
        return text;
    }

    boolean holds(Comparison comparison) {
        return rule.test(comparison);
    }
}
