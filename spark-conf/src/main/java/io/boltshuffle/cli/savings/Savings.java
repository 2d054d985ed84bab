package io.boltshuffle.cli.savings;

import io.boltshuffle.cli.base.Counted;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.savings.log.ApplicationSums;
import io.boltshuffle.cli.savings.model.ApplicationEstimate;
import io.boltshuffle.cli.savings.model.Network;
import io.boltshuffle.cli.savings.model.Range;
import io.boltshuffle.cli.savings.model.SavingsModel;
import io.boltshuffle.cli.savings.model.StageEstimate;
import io.boltshuffle.draw.Figures;
import io.boltshuffle.draw.TextTable;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The estimates of all applications, and what they come to; {@link SavingsJson} has every figure.
 *
 * @param others applications that ran with another shuffle, which are only named
 */
record Savings(SavingsModel model, List<ApplicationEstimate> applications, List<ApplicationEstimate> others) {
    /** A saving below this part of the time is within what times of a job vary by. */
    private static final double NOTABLE = 0.02;

    /** The meaning of the tables' headings. */
    static final List<String> LEGEND = List.of(
            "Seconds are those of all tasks together, \"of job\" what they make of the time that the job takes.",
            "\"Saved\": of what tasks waited and wrote, and of what rows of SQL took, at least and at most.");

    /** A stage of an application. */
    record Line(ApplicationEstimate application, StageEstimate estimate) {}

    static Savings of(SavingsModel model, List<ApplicationEstimate> all) {
        return new Savings(
                model,
                all.stream().filter(ApplicationEstimate::stock).toList(),
                all.stream().filter(each -> !each.stock()).toList());
    }

    Report report() {
        Report report = new Report("bolt savings")
                .line("AN ESTIMATE, not a measurement.")
                .line("");
        headings().forEach(report::line);
        report.line("");
        if (!applications.isEmpty()) {
            LEGEND.forEach(report::line);
            report.line("").table(StageTable.of(this)).line("");
            if (applications.size() > 1) {
                report.table(applicationTable()).line("");
            }
            report.line("Had the same been run on another network:")
                    .table(networkTable())
                    .line("");
        }
        report.line("Assumed:");
        assumptions().forEach(assumption -> report.line("  - " + assumption));
        report.line("").line(answer());
        SavingsJson.of(this).forEach(report::figure);
        return report;
    }

    List<String> assumptions() {
        return model.assumptions(applications);
    }

    /** Returns one line for each application, and one for each thing to know of it. */
    private List<String> headings() {
        return Stream.concat(applications.stream(), others.stream())
                .flatMap(each -> Stream.of(
                                Stream.of(heading(each.application())),
                                each.application().gaps().stream().map(gap -> "  incomplete: " + gap),
                                each.notes().stream().map(note -> "  note: " + note))
                        .flatMap(Function.identity()))
                .toList();
    }

    private static String heading(ApplicationSums application) {
        return StageTable.oneLine(application.name()) + " (" + application.log() + "): "
                + (application.sparkVersion().isEmpty()
                        ? "a Spark that does not tell its release"
                        : "Spark " + application.sparkVersion())
                + ", "
                + Counted.of(application.hosts(), "host") + ", "
                + (application.cores().isEmpty()
                        ? "cores unknown"
                        : Counted.of(application.cores().getAsInt(), "core"))
                + ", ran " + Figures.seconds(application.millis() / 1e3);
    }

    /** Returns all stages that read or wrote a shuffle, those that waited and wrote longest first. */
    List<Line> shuffleStages() {
        return applications.stream()
                .flatMap(each -> each.stages().stream().map(stage -> new Line(each, stage)))
                .filter(line -> StageTable.shuffles(line.estimate().stage()))
                .sorted(Comparator.comparingDouble(
                                (Line line) -> line.estimate().stage().shuffleSeconds())
                        .reversed())
                .toList();
    }

    private TextTable applicationTable() {
        return new TextTable(
                List.of("application", "ran s", "saved s", "of job s"),
                applications.stream()
                        .map(each -> List.of(
                                StageTable.shortened(each.application().name())
                                        + (hasOwnName(each.application())
                                                ? ""
                                                : " " + each.application().id()),
                                String.format(
                                        Locale.ROOT, "%.1f", each.application().millis() / 1e3),
                                StageTable.seconds(each.taskSeconds()),
                                StageTable.seconds(each.jobSeconds())))
                        .toList());
    }

    boolean hasOwnName(ApplicationSums application) {
        return applications.stream()
                        .filter(each -> each.application().name().equals(application.name()))
                        .count()
                == 1;
    }

    private TextTable networkTable() {
        return new TextTable(
                List.of("network", "saved s", "of job s"),
                Network.NETWORKS.stream()
                        .filter(network -> !network.equals(Network.LOOPBACK))
                        .map(network -> List.of(
                                network.name() + (network.equals(model.network()) ? ", as above" : ""),
                                StageTable.seconds(sum(on(network), ApplicationEstimate::taskSeconds)),
                                StageTable.seconds(sum(on(network), ApplicationEstimate::jobSeconds))))
                        .toList());
    }

    /** Returns the estimates for the case that all ran on that network. */
    List<ApplicationEstimate> on(Network network) {
        return network.equals(model.network())
                ? applications
                : applications.stream()
                        .map(each -> model.estimateOn(network, each))
                        .toList();
    }

    static Range sum(List<ApplicationEstimate> estimates, Function<ApplicationEstimate, Range> part) {
        return estimates.stream().map(part).reduce(Range.NONE, Range::plus);
    }

    /** Returns the sentence that says whether the plugin is worth a try. */
    String answer() {
        double ran = applications.stream()
                .mapToDouble(each -> each.application().millis() / 1e3)
                .sum();
        double shuffled = shuffleStages().stream()
                .mapToDouble(line -> line.estimate().stage().shuffleSeconds())
                .sum();
        Range job = sum(applications, ApplicationEstimate::jobSeconds);
        if (applications.isEmpty()) {
            return "The answer: none; these logs are not of Spark's own shuffle.";
        }
        if (shuffled == 0) {
            return "The answer: no task waited for a shuffle or wrote one, so the plugin would save nothing.";
        }
        if (ran == 0
                || applications.stream()
                        .anyMatch(each -> each.application().slots().isEmpty())) {
            return "The answer: tasks waited and wrote for " + Figures.seconds(shuffled)
                    + "; of this and of what rows took, "
                    + StageTable.seconds(sum(applications, ApplicationEstimate::taskSeconds))
                    + " s would be saved; the logs do not tell what that is of the jobs' time.";
        }
        String what = String.format(
                Locale.ROOT,
                "of %.1f s that the %s took, about %s s would be saved (%.0f to %.0f %%)",
                ran,
                applications.size() == 1 ? "job" : "jobs",
                StageTable.seconds(job),
                Math.floor(100 * job.low() / ran),
                Math.ceil(100 * job.high() / ran));
        if (job.high() < NOTABLE * ran) {
            return "The answer: hardly worth it: " + what + ".";
        }
        return (job.low() < NOTABLE * ran ? "The answer: perhaps worth a try: " : "The answer: worth a try: ") + what
                + ", if the assumptions hold.";
    }
}
