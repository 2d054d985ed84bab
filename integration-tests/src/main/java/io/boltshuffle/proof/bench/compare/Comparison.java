package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.proof.bench.inspark.JobBench;
import io.boltshuffle.proof.bench.report.SampleSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One piece with both shuffles.
 *
 * @param accelerator of both, or empty for Spark itself
 * @param stock without the plugin
 * @param beside stock Spark in the other ways that took part, in the order in which they were measured first
 */
record Comparison(
        String piece,
        String accelerator,
        SampleSet<Measured> stock,
        Map<Contender, SampleSet<Measured>> beside,
        SampleSet<Measured> boltshuffle) {
    /** The aim of boltshuffle. */
    static final String AIM = "the median is not slower than the slowest run without the plugin";

    private static final double LEAST_RDMA_SHARE = 0.99;

    /**
     * Returns the comparisons in the order in which their pieces were measured first. A piece that has not been
     * measured with both shuffles is left out.
     */
    static List<Comparison> of(List<Measured> measured) {
        return byTitle(measured).stream()
                .flatMap(all -> of(byContender(all)).stream())
                .toList();
    }

    /** Returns what was measured of pieces that have not been measured with both shuffles. */
    static List<Measured> unpaired(List<Measured> measured) {
        return byTitle(measured).stream()
                .filter(all -> of(byContender(all)).isEmpty())
                .flatMap(List::stream)
                .toList();
    }

    private static Optional<Comparison> of(Map<Contender, SampleSet<Measured>> all) {
        Optional<SampleSet<Measured>> stock = figures(all, Contender.Role.STOCK);
        Optional<SampleSet<Measured>> boltshuffle = figures(all, Contender.Role.BOLTSHUFFLE);
        if (stock.isEmpty() || boltshuffle.isEmpty()) {
            return Optional.empty();
        }
        Map<Contender, SampleSet<Measured>> beside = new LinkedHashMap<>(all);
        beside.keySet().removeIf(contender -> contender.role() != Contender.Role.BESIDE);
        Measured first = stock.get().samples().get(0);
        return Optional.of(
                new Comparison(first.title(), first.contender().accelerator(), stock.get(), beside, boltshuffle.get()));
    }

    private static Optional<SampleSet<Measured>> figures(Map<Contender, SampleSet<Measured>> all, Contender.Role role) {
        return all.entrySet().stream()
                .filter(each -> each.getKey().role() == role)
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Returns what can be compared: of one piece, with one accelerator or none. */
    private static Collection<List<Measured>> byTitle(List<Measured> measured) {
        return measured.stream()
                .collect(Collectors.groupingBy(
                        each -> title(each.title(), each.contender().accelerator()),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values();
    }

    private static Map<Contender, SampleSet<Measured>> byContender(List<Measured> measured) {
        return measured.stream()
                .collect(Collectors.groupingBy(
                        Measured::contender,
                        LinkedHashMap::new,
                        Collectors.collectingAndThen(Collectors.toList(), SampleSet::new)));
    }

    String title() {
        return title(piece, accelerator);
    }

    private static String title(String piece, String accelerator) {
        return accelerator.isEmpty() ? piece : piece + ", " + accelerator;
    }

    /** Returns the same piece with Spark itself, for one with an accelerator. */
    Optional<Comparison> ofSpark(List<Comparison> all) {
        return all.stream()
                .filter(each -> !accelerator.isEmpty() && each.accelerator.isEmpty() && each.piece.equals(piece))
                .findFirst();
    }

    /** Returns whether {@link #AIM} holds. */
    boolean holds() {
        return failsInStock()
                || boltshuffle.median(Cost.WALL) <= stock.of(Cost.WALL).most();
    }

    double wallRatio() {
        return boltshuffle.median(Cost.WALL) / stock.median(Cost.WALL);
    }

    /** Returns the ratio to stock Spark in another way, or NaN where that took no part. */
    double wallRatio(Contender other) {
        SampleSet<Measured> figures = beside.get(other);
        return figures == null ? Double.NaN : boltshuffle.median(Cost.WALL) / figures.median(Cost.WALL);
    }

    /** Returns the times of stock Spark in another way, or a dash where that took no part. */
    String wall(Contender other) {
        SampleSet<Measured> figures = beside.get(other);
        return figures == null ? "-" : figures.spread(Cost.WALL);
    }

    double cpuRatio() {
        return boltshuffle.median(Cost.CPU) / stock.median(Cost.CPU);
    }

    /** Returns whether the plugin gave another answer than Spark without it, which gave one answer and did not fail. */
    boolean differs() {
        return Cost.answers(stock).size() == 1
                && !failsInStock()
                && !Cost.answers(boltshuffle).equals(Cost.answers(stock));
    }

    boolean failsInStock() {
        return Cost.answers(stock).stream().allMatch(answer -> answer.startsWith(JobBench.FAILED));
    }

    /** Returns why the answers say nothing, if so. */
    Optional<String> notCompared() {
        List<String> answers = Cost.answers(stock);
        return failsInStock()
                ? Optional.of("because it fails with " + without() + ": " + piece + ", " + answers.get(0))
                : answers.size() > 1
                        ? Optional.of("because " + without() + " gives two answers: " + piece)
                        : Optional.empty();
    }

    /** Returns the name of what runs without the plugin. */
    String without() {
        return accelerator.isEmpty() ? "stock Spark" : accelerator;
    }

    /**
     * Returns why this compares nothing, if so. A piece to which Spark without the plugin gives two answers does not
     * count against it.
     */
    Optional<String> fault() {
        if (differs()) {
            return Optional.of(title() + " gave " + Cost.answers(boltshuffle) + " in place of " + Cost.answers(stock));
        }
        double share = Cost.rdmaShare(boltshuffle).orElse(readsNothingFromOtherHosts() ? 1 : 0);
        if (share < LEAST_RDMA_SHARE) {
            return Optional.of(
                    title() + ": in one run only " + Math.floor(share * 1000) / 10 + " % of the bytes came by RDMA");
        }
        return Optional.empty();
    }

    /** Spark itself counts these bytes, with every shuffle. */
    private boolean readsNothingFromOtherHosts() {
        return stock.of(Cost.REMOTE).most() == 0 && boltshuffle.of(Cost.REMOTE).most() == 0;
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("title", title());
        json.put("stock", Cost.toJson(stock));
        beside.forEach((contender, figures) -> json.put(contender.label(), Cost.toJson(figures)));
        json.put("boltshuffle", Cost.toJson(boltshuffle));
        json.put("wallRatio", wallRatio());
        json.put("cpuRatio", cpuRatio());
        beside.keySet().forEach(contender -> json.put(contender.label() + "WallRatio", wallRatio(contender)));
        json.put("holds", holds());
        return json;
    }
}
