package io.boltshuffle.proof.bench.report;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A quantity that samples of one kind have.
 *
 * @param name in JSON
 * @param format for people
 * @param shown factor by which people see more than programs: 100 for a share in percent
 */
public record Quantity<S>(String name, String format, double shown, ToDoubleFunction<S> value) {

    public static <S> Quantity<S> of(String name, String format, ToDoubleFunction<S> value) {
        return new Quantity<>(name, format, 1, value);
    }

    /** Returns a quantity that people see in percent. */
    public static <S> Quantity<S> share(String name, String format, ToDoubleFunction<S> value) {
        return new Quantity<>(name, format, 100, value);
    }

    /** Returns a value as people see it. */
    public String text(double of) {
        return String.format(Locale.ROOT, format, shown * of);
    }
}
