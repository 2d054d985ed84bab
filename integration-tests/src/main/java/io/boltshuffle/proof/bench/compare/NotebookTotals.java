package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.proof.bench.inspark.JobBench;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The times that a user of a notebook waits: for the session, the first run of each cell, and further ones.
 *
 * @param title says in which way the shuffles were compressed, and which accelerator took part
 * @param laterSessionSeconds by how much later than stock's the session has answered once
 * @param firstRatio of the sum of all first runs to stock's
 * @param warmRatio of the sum of the medians of all later runs to stock's; not a number if there were none
 * @param slowest the cell with the highest ratio when warm, or empty
 */
record NotebookTotals(
        String title,
        double stockSessionSeconds,
        double laterSessionSeconds,
        double stockFirstSeconds,
        double firstRatio,
        double stockWarmSeconds,
        double warmRatio,
        String slowest,
        double slowestRatio) {
    static final String AIM = "a session starts at most 0.5 s later than stock's, and its cells take at most 0.95 of "
            + "stock's time in their first run, 0.75 when warm, and each of them 1.03";

    private static final String WARM = ", warm";
    private static final String CELL = "notebook ";

    /** Returns what a piece is compared under: the later runs of a cell are samples of the same. */
    static String title(String piece) {
        int later = piece.lastIndexOf(JobBench.LATER);
        return piece.startsWith(CELL) && later > 0 ? piece.substring(0, later) + WARM : piece;
    }

    /** Adds up the comparisons of cells, for each kind of session. */
    static List<NotebookTotals> of(List<Comparison> comparisons) {
        Map<String, List<Comparison>> sessions = comparisons.stream()
                .filter(each -> each.piece().startsWith(CELL))
                .collect(Collectors.groupingBy(NotebookTotals::manner, LinkedHashMap::new, Collectors.toList()));
        return sessions.entrySet().stream()
                .filter(each -> each.getValue().stream().anyMatch(NotebookTotals::isSession))
                .map(each -> of("notebook, " + each.getKey(), each.getValue()))
                .toList();
    }

    private static NotebookTotals of(String title, List<Comparison> comparisons) {
        List<Comparison> session =
                comparisons.stream().filter(NotebookTotals::isSession).toList();
        List<Comparison> warm =
                comparisons.stream().filter(each -> each.piece().contains(WARM)).toList();
        List<Comparison> first = comparisons.stream()
                .filter(each -> !session.contains(each) && !warm.contains(each))
                .toList();
        var slowest = warm.stream().max(Comparator.comparingDouble(Comparison::wallRatio));
        return new NotebookTotals(
                title,
                stock(session),
                ours(session) - stock(session),
                stock(first),
                ours(first) / stock(first),
                stock(warm),
                ours(warm) / stock(warm),
                slowest.map(Comparison::piece).orElse(""),
                slowest.map(Comparison::wallRatio).orElse(Double.NaN));
    }

    private static String manner(Comparison each) {
        return each.title().replace(WARM, "").split(", ", 2)[1];
    }

    private static boolean isSession(Comparison each) {
        return each.piece().startsWith(JobBench.SESSION);
    }

    private static double stock(List<Comparison> comparisons) {
        return comparisons.stream()
                .mapToDouble(each -> each.stock().median(Cost.WALL))
                .sum();
    }

    private static double ours(List<Comparison> comparisons) {
        return comparisons.stream()
                .mapToDouble(each -> each.boltshuffle().median(Cost.WALL))
                .sum();
    }

    /** Returns whether {@link #AIM} holds. */
    boolean holds() {
        boolean isWarmFine = Double.isNaN(warmRatio) || (warmRatio <= 0.75 && slowestRatio <= 1.03);
        return laterSessionSeconds <= 0.5 && firstRatio <= 0.95 && isWarmFine;
    }

    String toText() {
        String warm = Double.isNaN(warmRatio)
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; warm %.2f of %.1f s, the highest ratio of one cell is %.2f (%s)",
                        warmRatio,
                        stockWarmSeconds,
                        slowestRatio,
                        slowest);
        return String.format(
                Locale.ROOT,
                "%s: the session has answered once %+.1f s after stock's %.1f s; first runs take %.2f of %.1f s%s",
                title,
                laterSessionSeconds,
                stockSessionSeconds,
                firstRatio,
                stockFirstSeconds,
                warm);
    }
}
