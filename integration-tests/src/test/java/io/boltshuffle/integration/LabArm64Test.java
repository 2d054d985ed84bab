package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.proof.lab.Lab;
import io.boltshuffle.proof.lab.LabEngine;
import io.boltshuffle.proof.lab.LabGuest;
import io.boltshuffle.proof.lab.LabSuite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Links, agents and jobs on an emulated arm64 with pages of 16 KiB, as Macs have them: half an hour, and a Debian
 * fetched the first time. Skipped, saying why, where there is no such lab.
 */
@Tag("ladder")
class LabArm64Test {
    private static final Duration BOOT = Duration.ofMinutes(10);

    @Test
    void theLinkKeepsItsContractWithPagesOf16KiB(@TempDir Path directory) throws Exception {
        Lab lab = Lab.in(Path.of(".."));
        Path log = directory.resolve("log");
        LabRun.of(lab.prepare(LabEngine.ARM64), log).requireLab();
        LabRun pages = LabRun.of(
                lab.run(LabGuest.of(LabEngine.ARM64, BOOT), List.of("sh", "-c", "uname -m; getconf PAGESIZE")), log);
        assertThat(pages.code()).as(pages.output()).isZero();
        assertThat(pages.output()).contains("aarch64", "16384");

        LabRun run = LabRun.of(LabSuite.CONTRACT, LabEngine.ARM64, log);

        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.output()).contains("ReadModeOverSoftRoceTest", "SendModeOverSoftRoceTest", "0 tests failed");
    }

    @Test
    void agentsAndJobsBringWhatStockSparkBringsWithPagesOf16KiB(@TempDir Path directory) throws Exception {
        LabRun run = LabRun.of(LabSuite.SPARK, LabEngine.ARM64, directory.resolve("log"));

        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.output())
                .contains(
                        "ReadModeJobsOverSoftRoceTest",
                        "SendModeJobsOverSoftRoceTest",
                        "2 tests successful",
                        "0 tests failed");
    }
}
