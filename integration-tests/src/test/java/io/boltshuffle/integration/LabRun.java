package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.os.ProcessTree;
import io.boltshuffle.proof.lab.Lab;
import io.boltshuffle.proof.lab.LabEngine;
import io.boltshuffle.proof.lab.LabGuest;
import io.boltshuffle.proof.lab.LabSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How a command of the lab ended.
 *
 * @param code as {@code bolt lab} would return it
 * @param output of both streams
 */
record LabRun(int code, String output) {

    /** @param log is written, and read when the command has ended */
    static LabRun of(ProcessBuilder command, Path log) throws IOException, InterruptedException {
        Process process =
                command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            return new LabRun(Lab.exitCode(process.waitFor()), Files.readString(log));
        } finally {
            ProcessTree.end(process);
        }
    }

    /** Runs a suite as it is meant to be, or skips the test that wants it. */
    static LabRun of(LabSuite suite, Path log) throws IOException, InterruptedException {
        return of(suite, suite.engine(), log);
    }

    /** Runs a suite under an engine, or skips the test that wants it. */
    static LabRun of(LabSuite suite, LabEngine engine, Path log) throws IOException, InterruptedException {
        Lab lab = Lab.in(Path.of(".."));
        of(lab.prepare(engine), log).requireLab();
        return of(lab.run(suite, LabGuest.of(suite, engine)), log);
    }

    /** Skips the test, with the lab's own words, if there can be no lab on this machine. Any other failure is one. */
    LabRun requireLab() {
        if (code == ExitCode.ENVIRONMENT) {
            abort(output);
        }
        assertThat(code).as(output).isZero();
        return this;
    }
}
