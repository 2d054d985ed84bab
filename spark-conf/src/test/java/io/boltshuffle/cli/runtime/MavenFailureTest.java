package io.boltshuffle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MavenFailureTest {
    @Test
    void aMissingNetworkIsNamedWithTheRemedy() {
        assertThat(told("[ERROR] Could not transfer artifact x from/to central: Unknown host"))
                .contains("Maven Central is out of reach")
                .contains("SPARK_HOME");
    }

    @Test
    void aFullDiskIsNamedWithTheRemedy() {
        assertThat(told("[ERROR] Error copying artifact: No space left on device"))
                .contains("the disk is full")
                .contains("BOLT_CACHE");
    }

    @Test
    void anythingElseIsQuoted() {
        assertThat(told("[ERROR] the moon is wrong")).contains("(the moon is wrong)");
    }

    @Test
    void colourIsNoPartOfALineAndABlankOneSaysNothing() {
        assertThat(MavenFailure.plain("\u001b[1;31m[ERROR]\u001b[m Could not create local repository"))
                .isEqualTo("[ERROR] Could not create local repository");
        assertThat(MavenFailure.explain(
                                GatheredJars.RUNTIME,
                                "4.2.0",
                                List.of("[ERROR] ", "[ERROR] Could not create local repository at /nonexistent"))
                        .getMessage())
                .contains("(Could not create local repository at /nonexistent)");
    }

    @Test
    void whatIsNotASparkIsNamedWithItsOwnRemedy() {
        assertThat(MavenFailure.explain(GatheredJars.COMET, "4.3", List.of("[ERROR] Could not find artifact x"))
                        .getMessage())
                .contains("DataFusion Comet 1.2.0 for Spark 4.3 (Could not find artifact x)")
                .contains("such as 4.1")
                .doesNotContain("SPARK_HOME");
    }

    private static String told(String error) {
        return MavenFailure.explain(GatheredJars.RUNTIME, "4.2.0", List.of(error))
                .getMessage();
    }
}
