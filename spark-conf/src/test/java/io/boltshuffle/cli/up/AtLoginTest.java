package io.boltshuffle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

class AtLoginTest {

    /** The code was used, and the machine's own key brings it back. */
    @Test
    void theCommandHasTheOptionsAndNoCode() {
        ParseResult verb = new CommandLine(new JoinCommand())
                .parseArgs(
                        "mac1.local",
                        "7F3K-0M2C-XTZ9-41QB",
                        "--login",
                        "--cores",
                        "3",
                        "--conf",
                        "spark.boltshuffle.agent.port=1",
                        "--conf=spark.boltshuffle.agent.checksum=always");

        assertThat(AtLogin.options(verb))
                .containsExactly(
                        "--cores=3",
                        "--conf=spark.boltshuffle.agent.port=1",
                        "--conf=spark.boltshuffle.agent.checksum=always");
    }

    @Test
    void whatIsNotAnnouncedNowIsNotAtLoginEither() {
        ParseResult verb = new CommandLine(new UpCommand()).parseArgs("--no-announce", "--login");

        List<String> options = AtLogin.options(verb);

        assertThat(new CommandLine(new UpCommand()).parseArgs(options.toArray(String[]::new)))
                .satisfies(
                        again -> assertThat(again.matchedOption("--no-announce").<Boolean>getValue())
                                .isTrue());
    }

    @Test
    void itRunsWithTheSameSparkAndTheSamePlace() {
        assertThat(AtLogin.environment(Map.of("BOLT_CACHE", "/a b", "SPARK_HOME", "/spark", "SECRET", "s")))
                .isEqualTo(List.of("BOLT_CACHE=/a b", "SPARK_HOME=/spark"));
    }
}
