package io.boltshuffle.cli.doctor;

import io.boltshuffle.cli.doctor.check.Diagnosis;
import io.boltshuffle.cli.doctor.check.Finding;
import io.boltshuffle.cli.doctor.check.Fix;
import io.boltshuffle.cli.doctor.probe.Outcome;
import io.boltshuffle.cli.doctor.probe.Probe;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the safe changes, each after a typed "yes". Any other input, and the end of input, mean no. */
final class Fixer {

    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final Map<String, Probe> probes;
    private final BufferedReader answers;
    private final PrintWriter out;

    Fixer(Map<String, Probe> probes, BufferedReader answers, PrintWriter out) {
        this.probes = probes;
        this.answers = answers;
        this.out = out;
    }

    /** Returns how many changes were made. */
    int fix(Diagnosis diagnosis) throws IOException {
        List<Fix> fixes = diagnosis.findings().stream()
                .map(Finding::fix)
                .flatMap(Optional::stream)
                .distinct()
                .toList();
        int made = 0;
        for (Fix fix : fixes) {
            out.printf("%nOn %s: %s%n  %s%nDo it? Type yes: ", fix.host(), fix.description(), fix.commandLine());
            out.flush();
            if ("yes".equals(answers.readLine())) {
                made += run(fix) ? 1 : 0;
            } else {
                out.println("left as it is");
            }
        }
        out.printf("%n%d of %d changes made; run the doctor again to see what is left.%n", made, fixes.size());
        return made;
    }

    private boolean run(Fix fix) {
        Probe probe = probes.get(fix.host());
        if (probe == null) {
            throw new IllegalStateException("no probe for " + fix.host());
        }
        Outcome outcome = probe.run(fix.arguments(), DEADLINE);
        if (outcome.is(Outcome.Ending.RAN) && outcome.exitCode() == 0) {
            out.println("done");
            return true;
        }
        String told = (outcome.stderr() + outcome.stdout()).strip();
        out.println(
                "failed" + (told.isEmpty() ? "" : ": " + told.lines().toList().get(0))
                        + (fix.asRoot() ? "; by hand: " + fix.commandLine() : ""));
        return false;
    }
}
