package io.boltshuffle.cli.job;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.examples.ProgressLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what a driver prints: progress for the person at the terminal, figures for the report. */
final class DriverOutput {
    private final String job;
    private final Console console;
    private long wallMillis;
    private final List<String> results = new ArrayList<>();
    private String lastLine = "";

    DriverOutput(String job, Console console) {
        this.job = job;
        this.console = console;
    }

    /** Returns when the driver has closed its output. */
    void readToEnd(BufferedReader lines) throws IOException {
        while (readProgram(lines)) {}
    }

    /** Returns true when one of several programs is done, and false when the driver has closed its output. */
    boolean readProgram(BufferedReader lines) throws IOException {
        for (String text = lines.readLine(); text != null; text = lines.readLine()) {
            Optional<ProgressLine> progress = ProgressLine.parse(text);
            if (progress.isEmpty()) {
                lastLine = text;
                continue;
            }
            accept(progress.get());
            if (progress.get() instanceof ProgressLine.ProgramDone) {
                return true;
            }
        }
        return false;
    }

    JobOutcome outcome() {
        return new JobOutcome(wallMillis, results.isEmpty() ? List.of(lastLine) : List.copyOf(results));
    }

    private void accept(ProgressLine progress) {
        if (progress instanceof ProgressLine.Tasks tasks) {
            console.status("  " + job + ": stage " + tasks.stage() + " (" + tasks.name() + "), " + tasks.done() + " of "
                    + tasks.total() + " tasks");
        } else if (progress instanceof ProgressLine.Note note) {
            console.status("  " + job + ": " + note.text());
        } else if (progress instanceof ProgressLine.JobsDone jobs) {
            wallMillis = jobs.wallMillis();
        } else if (progress instanceof ProgressLine.ProgramDone) {
            results.add(lastLine);
            lastLine = "";
        }
    }
}
