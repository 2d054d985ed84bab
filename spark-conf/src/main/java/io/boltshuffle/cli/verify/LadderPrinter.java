package io.boltshuffle.cli.verify;

import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.verify.ladder.LadderReport;
import io.boltshuffle.cli.verify.ladder.RoundTrips;
import io.boltshuffle.cli.verify.ladder.Rung;
import io.boltshuffle.cli.verify.ladder.StreamCost;
import io.boltshuffle.cli.verify.ladder.StreamSpeed;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints how the climb goes: each rung at once and the figures at the end, or all of it as one JSON document. */
final class LadderPrinter {
    private final PrintWriter out;
    private final boolean json;
    private final String where;

    /** @param virtual whether the cable is one of the virtual Thunderbolt */
    LadderPrinter(PrintWriter out, boolean json, boolean virtual) {
        this.out = out;
        this.json = json;
        this.where = virtual ? "over a virtual cable." : "between these hosts.";
    }

    void rung(Rung.Result result) {
        if (json) {
            return;
        }
        String name = result.rung().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        out.printf("%-4s %-15s %s%n", result.passed() ? "ok" : "FAIL", name, result.detail());
        if (!result.remedy().isEmpty()) {
            out.printf("     %-15s %s%n", "what to do:", result.remedy());
        }
        out.flush();
    }

    void end(LadderReport report) {
        if (json) {
            out.println(Json.write(LadderDocument.of(report)));
        } else {
            text(report);
        }
        out.flush();
    }

    private void text(LadderReport report) {
        RoundTrips latency = report.latency();
        if (latency != null) {
            out.printf(
                    "%nround trip of %d bytes, microseconds: min %.1f, p50 %.1f, p90 %.1f, p99 %.1f, max %.1f (%d "
                            + "rounds)%n",
                    latency.messageBytes(),
                    latency.min(),
                    latency.p50(),
                    latency.p90(),
                    latency.p99(),
                    latency.max(),
                    latency.rounds());
        }
        if (!report.calibration().isEmpty()) {
            out.printf("%n%12s %14s %10s%n", "message", "window", "GB/s");
            report.calibration().forEach(this::row);
        }
        StreamSpeed stream = report.stream();
        if (stream != null) {
            out.printf(
                    "%nchecked stream: %.2f GB/s in messages of %d KiB%n",
                    stream.gigabytesPerSecond(), stream.messageBytes() >> 10);
        }
        StreamCost cost = report.cost();
        if (cost != null) {
            out.printf(
                    "CPU seconds per GB: %.4f here and %.4f on the other host, and %.4f for checksums here; idle: %.2f "
                            + "%% of a core%n",
                    cost.fetching(), cost.serving(), cost.checksums(), 100 * cost.idleShare());
        }
        out.println();
        out.println((report.reachedTheTop() ? "RDMA works " : "RDMA does not work ") + where);
    }

    private void row(StreamSpeed speed) {
        out.printf(
                "%8d KiB %10d KiB %10.2f%n",
                speed.messageBytes() >> 10, speed.windowBytes() >> 10, speed.gigabytesPerSecond());
    }
}
