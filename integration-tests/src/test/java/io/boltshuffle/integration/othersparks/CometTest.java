package io.boltshuffle.integration.othersparks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.runtime.SparkLine;
import io.boltshuffle.proof.accelerator.Comet;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DataFusion Comet beside the plugin, on the newest Spark that it is published for. */
class CometTest {
    private static final SparkLine LINE = SparkLine.V4_1;

    @Tag("ci")
    @Test
    void queriesOfCometGoByRdma(@TempDir Path directory) throws Exception {
        expectSuccess(directory, "CometJobs");
    }

    @Tag("ladder")
    @Test
    void queriesOfCometAreRightThoughThingsFail(@TempDir Path directory) throws Exception {
        expectSuccess(directory, "CometFailureJobs");
    }

    private static void expectSuccess(Path directory, String jobs) throws Exception {
        TestJvm jvm = TestJvm.run(
                OtherSpark.of(LINE).classPath() + File.pathSeparator + comet(),
                "integration-tests",
                directory,
                List.of("--select-class=io.boltshuffle.integration." + jobs));

        assertThat(jvm.code()).as(jvm.output()).isZero();
    }

    private static Path comet() {
        try {
            return Comet.of(LINE, OtherSpark.CACHE, Console.standardError()).jar();
        } catch (BoltException e) {
            return abort("Comet cannot be had here: " + e.getMessage());
        }
    }
}
