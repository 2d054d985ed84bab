package io.boltshuffle.cli.verify;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Runs the audit of native layouts and prints what differs. */
final class AbiReportPrinter {
    private AbiReportPrinter() {}

    /** A row in JSON: numbers as text, {@code -} if there is none. */
    record Line(String name, String ours, String header, String verdict, String note) {}

    static int run(PrintWriter out, boolean json) throws IOException {
        Path directory = Files.createTempDirectory("bolt-abi");
        try {
            AbiReport report = AbiAudit.run(directory);
            if (report instanceof AbiReport.NotRun notRun) {
                throw BoltException.environment(notRun.reason(), notRun.remedy());
            }
            AbiReport.Compared compared = (AbiReport.Compared) report;
            List<Line> lines =
                    compared.rows().stream().map(AbiReportPrinter::line).toList();
            if (json) {
                out.println(Json.write(lines));
            } else {
                text(out, compared, lines);
            }
            out.flush();
            return compared.agrees() ? ExitCode.OK : ExitCode.FAILED;
        } finally {
            FileTrees.delete(directory);
        }
    }

    private static void text(PrintWriter out, AbiReport.Compared compared, List<Line> lines) {
        lines.stream()
                .filter(line -> !line.verdict().equals(AbiReport.Verdict.EQUAL.name()))
                .forEach(line -> out.printf(
                        "%-30s here %s, header %s: %s %s%n",
                        line.name(), line.ours(), line.header(), line.verdict(), line.note()));
        long equal = lines.stream()
                .filter(line -> line.verdict().equals(AbiReport.Verdict.EQUAL.name()))
                .count();
        out.printf("%d of %d numbers are equal.%n", equal, lines.size());
        out.println(
                compared.agrees()
                        ? "The verbs header of this machine has the layouts that boltshuffle uses."
                        : "The verbs header of this machine differs: do not use RDMA here, and report the lines "
                                + "above.");
    }

    private static Line line(AbiReport.Row row) {
        return new Line(
                row.name(), text(row.ours()), text(row.header()), row.verdict().name(), row.note());
    }

    private static String text(OptionalLong number) {
        return number.isPresent() ? Long.toString(number.getAsLong()) : "-";
    }
}
