package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.ProcessTree;
import io.boltshuffle.cli.lab.Lab;
import io.boltshuffle.cli.lab.LabLimits;
import io.boltshuffle.cli.lab.LabSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quick part of what {@code bolt lab} runs on a kernel's own verbs stack; skipped, saying why, where there is no lab. */
@Tag("versions")
class LabTest {

    private final Lab lab = Lab.in(Path.of(".."));
    private final Path directory;

    LabTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void theLinkKeepsItsContractOverSoftRoce() throws Exception {
        require(run(lab.prepare()));

        Outcome outcome = run(lab.run(LabSuite.CONTRACT, LabLimits.of(LabSuite.CONTRACT.deadline())));

        assertThat(outcome.code()).as(outcome.output()).isZero();
        assertThat(outcome.output()).contains("ReadModeOverSoftRoceTest", "SendModeOverSoftRoceTest", "0 tests failed");
    }

    private record Outcome(int code, String output) {}

    private static void require(Outcome prepared) {
        if (Lab.exitCode(prepared.code()) == ExitCode.ENVIRONMENT) {
            abort(prepared.output());
        }
        assertThat(prepared.code()).as(prepared.output()).isZero();
    }

    private Outcome run(ProcessBuilder command) throws IOException, InterruptedException {
        Path log = directory.resolve("log");
        Process process =
                command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            return new Outcome(process.waitFor(), Files.readString(log));
        } finally {
            ProcessTree.end(process);
        }
    }
}
