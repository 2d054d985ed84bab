package io.boltshuffle.proof.bench.scale;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Says whether a claim about agents held.
 *
 * @param seen the figure that decided
 */
record Verdict(String claim, boolean holds, String seen) {
    /** The limit on memory beside the slab, in MB. */
    private static final double REST_MEGABYTES = 100;

    private static final double REST_CPU_SHARE = 0.01;

    static List<Verdict> on(List<ScalePoint> points) {
        List<Verdict> verdicts = new ArrayList<>();
        double memory = points.stream()
                .mapToDouble(point ->
                        Math.max(AgentResource.MEMORY.in(point.fresh()), AgentResource.MEMORY.in(point.rest())))
                .max()
                .orElseThrow();
        verdicts.add(new Verdict(
                "at rest, less than 100 MB beside the slab", memory < REST_MEGABYTES, text("%.1f MB", memory)));
        double share =
                points.stream().mapToDouble(ScalePoint::restCpuShare).max().orElseThrow();
        verdicts.add(
                new Verdict("at rest, less than 1 % of a core", share < REST_CPU_SHARE, text("%.2f %%", 100 * share)));
        for (AgentResource quantity : AgentResource.values()) {
            verdicts.add(growthWithBlocks(quantity, points));
            growthWithPeers(quantity, points).ifPresent(verdicts::add);
        }
        return verdicts;
    }

    /** The cluster in which most came with the blocks decides. */
    private static Verdict growthWithBlocks(AgentResource quantity, List<ScalePoint> points) {
        double most = points.stream()
                .mapToDouble(point -> quantity.in(point.many()) - quantity.in(point.few()))
                .max()
                .orElseThrow();
        return new Verdict(
                quantity.label() + " do not grow with blocks", most <= quantity.allowance(), text("%+.1f", most));
    }

    /**
     * A straight line through what was seen: what another peer costs does not become more with the peers that are
     * there.
     */
    private static java.util.Optional<Verdict> growthWithPeers(AgentResource quantity, List<ScalePoint> points) {
        Map<Integer, List<ScalePoint>> byCables = new TreeMap<>();
        points.forEach(point -> byCables.computeIfAbsent(point.cablesPerPair(), any -> new ArrayList<>())
                .add(point));
        return byCables.values().stream()
                .flatMap(line -> bends(quantity, line).stream())
                .max(Comparator.naturalOrder())
                .map(bend -> new Verdict(
                        quantity.label() + " grow no faster than peers",
                        bend <= quantity.allowance(),
                        text("%+.1f for a peer more than for the one before", bend)));
    }

    /** By how much each step from host to host exceeds the one before it. */
    private static List<Double> bends(AgentResource quantity, List<ScalePoint> points) {
        List<ScalePoint> line =
                points.stream().sorted(Comparator.comparing(ScalePoint::peers)).toList();
        List<Double> bends = new ArrayList<>();
        for (int i = 2; i < line.size(); i++) {
            bends.add(
                    slope(quantity, line.get(i - 1), line.get(i)) - slope(quantity, line.get(i - 2), line.get(i - 1)));
        }
        return bends;
    }

    private static double slope(AgentResource quantity, ScalePoint less, ScalePoint more) {
        return (quantity.in(more.few()) - quantity.in(less.few())) / (more.peers() - less.peers());
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    String line() {
        return (holds ? "holds:  " : "MISSED: ") + claim + " (" + seen + ")";
    }
}
