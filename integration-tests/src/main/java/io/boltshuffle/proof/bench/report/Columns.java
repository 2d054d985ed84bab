package io.boltshuffle.proof.bench.report;

import io.boltshuffle.draw.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The columns of a table, each with what stands in it for a row. */
public final class Columns<R> {
    private final List<String> header = new ArrayList<>();
    private final List<Function<R, String>> cells = new ArrayList<>();

    public Columns<R> and(String title, Function<R, String> cell) {
        header.add(title);
        cells.add(cell);
        return this;
    }

    /** Adds a column of ratios, with two digits behind the point. */
    public Columns<R> andRatio(String title, ToDoubleFunction<R> ratio) {
        return and(title, row -> String.format(Locale.ROOT, "%.2f", ratio.applyAsDouble(row)));
    }

    public TextTable table(List<R> rows) {
        return new TextTable(
                List.copyOf(header),
                rows.stream()
                        .map(row -> cells.stream().map(cell -> cell.apply(row)).toList())
                        .toList());
    }
}
