package io.boltshuffle.cli.bench.compare;

import java.util.function.Function;

/** What boltshuffle wants to hold against stock Spark in each comparison. */
public enum Aim {
    WAIT_HALVED(
            "tasks wait for blocks less than half as long as with stock, or less than 1 % of their time",
            comparison -> {
                double share = comparison.boltshuffle().fetchWaitShare().median();
                return Outcome.holds(share < 0.01
                        || share < comparison.stock().fetchWaitShare().median() / 2);
            }),
    NOT_SLOWER(
            "runs are not slower than with stock by more than chance (Mann-Whitney, 5 %; three rounds or more)",
            comparison -> Slowness.notSlower(
                    comparison.boltshuffle().wallSeconds(), comparison.stock().wallSeconds()));

    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // what is assigned captures nothing
    private final Function<Comparison, Outcome> rule;

    Aim(String text, Function<Comparison, Outcome> rule) {
        this.text = text;
        this.rule = rule;
    }

    String text() {
        return text;
    }

    Outcome judge(Comparison comparison) {
        return rule.apply(comparison);
    }
}
