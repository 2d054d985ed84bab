package io.boltshuffle.proof.bench;

import java.util.Locale;

/**
 * A limit on a measured median.
 *
 * @param kind how the two are compared
 */
record Limit(Kind kind, double bound) {

    /** The median is compared with a reference, or by itself. */
    enum Kind {
        RATIO_AT_LEAST("%.0f %%", ">= %.0f %%", 100),
        RATIO_AT_MOST("%.0f %%", "<= %.0f %%", 100),
        EXCESS_BELOW("%+.2f", "< %+.2f", 1),
        BELOW("%.4f", "< %.4f", 1);

        private final String resultFormat;
        private final String boundFormat;
        private final int scale;

        Kind(String resultFormat, String boundFormat, int scale) {
            this.resultFormat = resultFormat;
            this.boundFormat = boundFormat;
            this.scale = scale;
        }
    }

    double result(double reference, double measured) {
        return switch (kind) {
            case RATIO_AT_LEAST, RATIO_AT_MOST -> measured / reference;
            case EXCESS_BELOW -> measured - reference;
            case BELOW -> measured;
        };
    }

    boolean holds(double result) {
        return switch (kind) {
            case RATIO_AT_LEAST -> result >= bound;
            case RATIO_AT_MOST -> result <= bound;
            case EXCESS_BELOW, BELOW -> result < bound;
        };
    }

    String text(double result) {
        return String.format(Locale.ROOT, kind.resultFormat, kind.scale * result);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, kind.boundFormat, kind.scale * bound);
    }
}
