package io.boltshuffle.proof.soak;

import io.boltshuffle.draw.TextTable;
import io.boltshuffle.proof.bench.report.Samples;
import io.boltshuffle.proof.soak.Arrivals.Gap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Says when blocks came by RDMA again after each fault.
 *
 * @param each in the order of time
 * @param longestGap without a block by RDMA, however many faults struck in it
 */
record Recoveries(List<Recovery> each, Gap longestGap) {

    /** Faults may keep blocks from coming by RDMA for so long, because each is mended within seconds. */
    static final Duration LONGEST_GAP = Duration.ofMinutes(5);

    /**
     * The recovery after one fault.
     *
     * @param seconds from its end until a block came by RDMA, to within a poll; empty if the next fault struck first
     */
    record Recovery(Fault fault, OptionalDouble seconds) {}

    Recoveries {
        each = List.copyOf(each);
    }

    /** @param events in the order of time */
    static Recoveries of(List<FaultEvent> events, Arrivals arrivals) {
        List<Recovery> each = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            FaultEvent event = events.get(i);
            double mended = event.atSeconds() + event.seconds();
            double end = i + 1 < events.size() ? events.get(i + 1).atSeconds() : Double.POSITIVE_INFINITY;
            each.add(new Recovery(event.fault(), arrivals.secondsUntilNext(mended, end)));
        }
        return new Recoveries(each, arrivals.longestGap());
    }

    /** Returns what is wrong; empty if all is well. */
    Optional<String> violation() {
        return longestGap.seconds() > LONGEST_GAP.toSeconds()
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "no block came by RDMA for %.0f s, from %.0f s on",
                        longestGap.seconds(),
                        longestGap.fromSeconds()))
                : Optional.empty();
    }

    /** Returns the result in one line. */
    String summary() {
        long seen =
                each.stream().filter(recovery -> recovery.seconds().isPresent()).count();
        return String.format(
                Locale.ROOT,
                "blocks came by RDMA again before the next fault after %d of %d; the longest time without any was %.1f "
                        + "s",
                seen,
                each.size(),
                longestGap.seconds());
    }

    /** Returns a table by kind of fault. There is no time if the next fault struck first. */
    TextTable table() {
        List<List<String>> rows = new ArrayList<>();
        byFault().forEach((fault, recoveries) -> {
            List<Double> seconds = seconds(recoveries);
            rows.add(List.of(
                    fault.label(),
                    Integer.toString(recoveries.size()),
                    Integer.toString(seconds.size()),
                    seconds.isEmpty() ? "-" : text(Samples.of(seconds).median()),
                    seconds.isEmpty() ? "-" : text(Samples.of(seconds).most())));
        });
        return new TextTable(List.of("after", "times", "RDMA came before the next", "median s", "longest s"), rows);
    }

    Map<String, Object> toJson() {
        Map<String, Object> faults = new LinkedHashMap<>();
        byFault().forEach((fault, recoveries) -> faults.put(fault.label(), seconds(recoveries)));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("longestGapSeconds", longestGap.seconds());
        json.put("secondsAfter", faults);
        return json;
    }

    private Map<Fault, List<Recovery>> byFault() {
        return each.stream().collect(Collectors.groupingBy(Recovery::fault, TreeMap::new, Collectors.toList()));
    }

    private static List<Double> seconds(List<Recovery> recoveries) {
        return recoveries.stream()
                .flatMap(recovery -> recovery.seconds().stream().boxed())
                .toList();
    }

    private static String text(double seconds) {
        return String.format(Locale.ROOT, "%.1f", seconds);
    }
}
