package io.boltshuffle.cli.savings;

import io.boltshuffle.cli.base.Html;
import java.util.ArrayList;
import java.util.List;

/** The report as a page that stands alone. Names from the log are escaped by the parts that write them. */
final class SavingsPage {
    private SavingsPage() {}

    static String of(SavingsReport report) {
        List<String> content = new ArrayList<>();
        content.add(Html.paragraph("An estimate, not a measurement. " + report.answer()));
        report.headings().forEach(line -> content.add(Html.paragraph(line)));
        if (!report.applications().isEmpty()) {
            content.addAll(figures(report));
        }
        content.add(Html.heading("Assumed"));
        report.model().assumptions().forEach(assumption -> content.add(Html.paragraph(assumption)));
        return Html.page("bolt savings", content);
    }

    private static List<String> figures(SavingsReport report) {
        List<String> content = new ArrayList<>();
        content.add(SavingsPicture.of(report));
        content.add(Html.heading("Stages"));
        SavingsReport.LEGEND.forEach(line -> content.add(Html.paragraph(line)));
        content.add(StageTable.of(report, StageTable.Detail.FULL).toHtml());
        if (report.applications().size() > 1) {
            content.add(Html.heading("Applications"));
            content.add(report.applicationTable().toHtml());
        }
        content.add(Html.heading("Had the same been run on another network"));
        content.add(report.networkTable().toHtml());
        return content;
    }
}
