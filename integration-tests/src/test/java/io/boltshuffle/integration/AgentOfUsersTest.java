package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.client.AgentJvm;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The failure matrix and the jobs of these tests show something about users only if they run what users run. */
class AgentOfUsersTest {

    @Test
    void anAgentOfTheTestsHasTheOptionsAndTheClassPathOfOneThatAnExecutorStarts(@TempDir Path directory)
            throws Exception {
        try (AgentPair agents = new AgentPair(directory, 1)) {
            List<String> command = agents.command(AgentPair.READER);

            int classPath = command.indexOf("-cp");
            assertThat(command.subList(1, classPath))
                    .startsWith(AgentJvm.OPTIONS.toArray(String[]::new))
                    .allMatch(option -> AgentJvm.OPTIONS.contains(option)
                            || option.startsWith("-Djava.io.tmpdir=")
                            || option.startsWith("-XX:ErrorFile="));
            assertThat(command.get(classPath + 1).split(File.pathSeparator))
                    .noneMatch(entry -> entry.contains("test-classes"))
                    .noneMatch(entry -> Path.of(entry).getFileName().toString().matches("(junit|assertj|spark-core).*"))
                    .hasSizeLessThan(30);
        }
    }
}
