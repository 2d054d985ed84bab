package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.proof.lab.LabSuite;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows what {@code bolt lab spark} runs; the first time, the lab builds its kernel for it. */
@Tag("ladder")
class LabJobsTest {

    @Test
    void jobsOverSoftRoceBringWhatStockSparkBringsWhateverTheKernelDoes(@TempDir Path directory) throws Exception {
        LabRun run = LabRun.of(LabSuite.SPARK, directory.resolve("log"));

        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.output())
                .contains("ReadModeJobsOverSoftRoceTest", "SendModeJobsOverSoftRoceTest", "0 tests failed");
    }
}
