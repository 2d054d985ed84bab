package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.proof.lab.LabSuite;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The quick part of what {@code bolt lab} runs on a kernel's own verbs stack; skipped, saying why, where there is no
 * lab.
 */
@Tag("ci")
class LabTest {

    @Test
    void theLinkKeepsItsContractOverSoftRoce(@TempDir Path directory) throws Exception {
        LabRun run = LabRun.of(LabSuite.CONTRACT, directory.resolve("log"));

        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.output()).contains("ReadModeOverSoftRoceTest", "SendModeOverSoftRoceTest", "0 tests failed");
    }
}
