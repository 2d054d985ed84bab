package io.boltshuffle.cli.bench.compare;

import io.boltshuffle.cli.bench.report.Samples;
import java.util.List;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.MannWhitneyUTest;

/**
 * Tells a shuffle that is slower from one that had bad luck, by the ranks of all runs (Mann-Whitney, one-sided). Times of
 * whole applications differ by a tenth from run to run, so that of two equal shuffles one has the slower median always, and a
 * median above all runs of the other with three runs each in a fifth of all cases.
 */
final class Slowness {
    /** A slower shuffle is taken for unlucky rather than an equal one for slower, but once in so many comparisons. */
    static final double CHANCE = 0.05;

    /** With three runs each, all of one slower than all of the other happen by chance once in twenty times. */
    static final int LEAST_RUNS = 3;

    /** One in twenty is enough, whatever the last digit. */
    private static final double ROUNDING = 1e-9;

    private Slowness() {}

    /** Whether {@code times} are those of a shuffle that is no slower than the one that {@code others} are of. */
    static Outcome notSlower(Samples times, Samples others) {
        if (times.sorted().size() < LEAST_RUNS || others.sorted().size() < LEAST_RUNS) {
            return Outcome.UNDECIDED;
        }
        double chance = MannWhitneyUTest.withDefaults()
                .with(AlternativeHypothesis.GREATER_THAN)
                .test(values(times.sorted()), values(others.sorted()))
                .getPValue();
        return Outcome.holds(chance > CHANCE + ROUNDING);
    }

    private static double[] values(List<Double> sorted) {
        return sorted.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
