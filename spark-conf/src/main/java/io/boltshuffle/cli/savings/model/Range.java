package io.boltshuffle.cli.savings.model;

/** A low and a high estimate of one figure. */
public record Range(double low, double high) {
    public static final Range NONE = new Range(0, 0);

    public Range {
        if (!(low <= high)) {
            throw new IllegalArgumentException("the low estimate " + low + " is above the high one, " + high);
        }
    }

    public Range plus(Range other) {
        return new Range(low + other.low, high + other.high);
    }

    /** Returns the part of the range that is at most so much. */
    public Range atMost(double limit) {
        return new Range(Math.min(low, limit), Math.min(high, limit));
    }
}
