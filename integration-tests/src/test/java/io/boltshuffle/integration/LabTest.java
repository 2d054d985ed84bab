package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.lab.Lab;
import io.boltshuffle.cli.lab.LabEngine;
import io.boltshuffle.cli.lab.LabGuest;
import io.boltshuffle.cli.lab.LabSuite;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quick part of what {@code bolt lab} runs on a kernel's own verbs stack; skipped, saying why, where there is no lab. */
@Tag("versions")
class LabTest {

    @Test
    void theLinkKeepsItsContractOverSoftRoce(@TempDir Path directory) throws Exception {
        Lab lab = Lab.in(Path.of(".."));
        Path log = directory.resolve("log");
        LabRun.of(lab.prepare(LabEngine.QEMU), log).requireLab();

        LabRun run = LabRun.of(lab.run(LabSuite.CONTRACT, LabGuest.of(LabSuite.CONTRACT)), log);

        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.output()).contains("ReadModeOverSoftRoceTest", "SendModeOverSoftRoceTest", "0 tests failed");
    }
}
