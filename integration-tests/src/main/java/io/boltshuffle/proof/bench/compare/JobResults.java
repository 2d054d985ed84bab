package io.boltshuffle.proof.bench.compare;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.boltshuffle.cli.base.Report;
import io.boltshuffle.proof.bench.network.HeldNetwork;
import io.boltshuffle.proof.bench.report.Columns;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The results of {@code bolt bench job}.
 *
 * @param circumstances what was run and where, in a line
 * @param network what the network between the hosts, and the cables, were held to; empty for the loopback network
 * @param answersOnly whether only answers and bytes by TCP count as faults, and not times
 */
record JobResults(
        String circumstances,
        Optional<HeldNetwork> network,
        MachineState before,
        MachineState after,
        List<Measured> measured,
        boolean answersOnly) {
    private static final String EXPLANATION =
            "Medians (least .. most). CPU is that of executors and agents; the emulator's, which real cables do not "
                    + "use, is shown apart and not counted, but takes its part of the same cores. tasks: CPU of the "
                    + "threads that run them, without compilers, collectors and threads that fetch. wait: the part of "
                    + "the tasks' time in which they waited for blocks. GC: of the "
                    + "executors, each once. heap: what they allocated on it.";

    JobResults {
        measured = List.copyOf(measured);
    }

    List<Comparison> comparisons() {
        return Comparison.of(measured);
    }

    Report report() {
        List<Comparison> comparisons = comparisons();
        Report report = new Report("bolt bench job").line(circumstances).figure("circumstances", circumstances);
        HeldNetwork.tell(network, report);
        report.figure("aim", Comparison.AIM);
        report.figure(
                "comparisons", comparisons.stream().map(Comparison::toJson).toList());
        report.table(columns(comparisons).table(comparisons)).line("");
        if (!comparisons.isEmpty()) {
            byAccelerator(comparisons).forEach((accelerator, accelerated) -> {
                Totals totals = Totals.of(accelerated, comparisons);
                report.line(totals.toText())
                        .figure(accelerator.isEmpty() ? "total" : "totalWith" + accelerator, totals.toJson());
            });
        }
        List<NotebookTotals> notebooks = NotebookTotals.of(comparisons);
        notebooks.forEach(each -> report.line(each.toText()));
        if (!notebooks.isEmpty()) {
            report.figure("notebooks", notebooks);
        }
        List<Measured> unpaired = Comparison.unpaired(measured);
        comparisons.forEach(
                each -> each.notCompared().ifPresent(reason -> report.line("answers not compared, " + reason)));
        comparisons.stream()
                .filter(each -> each.ofSpark(comparisons)
                        .filter(spark -> !Cost.answers(spark.stock()).equals(Cost.answers(each.stock())))
                        .isPresent())
                .forEach(each -> report.line(each.without() + " itself answers otherwise than Spark: " + each.piece()));
        unpaired.forEach(each -> report.line("not compared: " + each.summary()));
        if (!unpaired.isEmpty()) {
            report.figure("unpaired", unpaired.stream().map(Measured::toJson).toList());
        }
        report.line("").line(EXPLANATION).line("aim: " + Comparison.AIM);
        MachineState.tell(before, after, report);
        comparisons.stream().flatMap(each -> each.fault().stream()).forEach(report::fault);
        if (!comparisons.isEmpty() && comparisons.stream().allMatch(Comparison::failsInStock)) {
            report.fault("everything failed with stock Spark, so nothing was compared");
        }
        comparisons.stream()
                .filter(each -> !answersOnly && !each.holds())
                .forEach(each -> report.fault(each.title() + " misses the aim that " + Comparison.AIM));
        notebooks.stream()
                .filter(each -> !answersOnly && !each.holds())
                .forEach(each -> report.fault(each.title() + " misses the aim that " + NotebookTotals.AIM));
        return report.figure("faults", report.faults());
    }

    private static Map<String, List<Comparison>> byAccelerator(List<Comparison> comparisons) {
        return comparisons.stream().collect(groupingBy(Comparison::accelerator, LinkedHashMap::new, toList()));
    }

    private static Columns<Comparison> columns(List<Comparison> comparisons) {
        Columns<Comparison> columns = new Columns<Comparison>()
                .and("", Comparison::title)
                .and("wall s", each -> each.boltshuffle().spread(Cost.WALL))
                .and("stock", each -> each.stock().spread(Cost.WALL))
                .andRatio("ratio", Comparison::wallRatio);
        comparisons.stream()
                .flatMap(comparison -> comparison.beside().keySet().stream())
                .distinct()
                .forEach(contender -> columns.and(contender.title(), each -> each.wall(contender))
                        .and("ratio", each -> besideRatio(each.wallRatio(contender))));
        if (comparisons.stream().anyMatch(each -> each.ofSpark(comparisons).isPresent())) {
            columns.and(
                    "of Spark's",
                    each -> besideRatio(each.ofSpark(comparisons)
                            .map(spark -> each.boltshuffle().median(Cost.WALL)
                                    / spark.stock().median(Cost.WALL))
                            .orElse(Double.NaN)));
        }
        columns.and("CPU s", each -> each.boltshuffle().spread(Cost.CPU))
                .and("stock", each -> each.stock().spread(Cost.CPU))
                .andRatio("ratio", Comparison::cpuRatio);
        both(columns, "tasks", Cost.TASK_CPU);
        columns.and("agents", each -> each.boltshuffle().text(Cost.AGENT_CPU))
                .and("emulator", each -> each.boltshuffle().text(Cost.EMULATOR_CPU));
        both(columns, "wait", Cost.WAIT);
        both(columns, "GC s", Cost.GC);
        both(columns, "heap MB", Cost.ALLOCATED);
        return columns.and("remote MB", each -> each.boltshuffle().text(Cost.REMOTE))
                .and("by RDMA", each -> percent(Cost.rdmaShare(each.boltshuffle())))
                .and("aim", each -> each.holds() ? "holds" : "MISSED");
    }

    private static void both(Columns<Comparison> columns, String title, Quantity<Measured> quantity) {
        columns.and(title, each -> each.boltshuffle().text(quantity))
                .and("stock", each -> each.stock().text(quantity));
    }

    private static String besideRatio(double ratio) {
        return Double.isNaN(ratio) ? "-" : String.format(Locale.ROOT, "%.2f", ratio);
    }

    private static String percent(OptionalDouble share) {
        return share.isPresent() ? String.format(Locale.ROOT, "%.1f%%", 100 * share.getAsDouble()) : "unknown";
    }
}
