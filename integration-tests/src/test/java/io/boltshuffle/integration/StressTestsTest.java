package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The stress tests ({@code *Stress}) of other modules, run by jcstress: each brings threads together again and again,
 * judges every outcome, and says which race it would show.
 */
@Tag("ladder")
class StressTestsTest {

    /**
     * Few states at once, as some of them are large, and no compiler chosen for each thread: two minutes and not
     * twenty.
     */
    private static final List<String> SHORT =
            List.of("-m", "quick", "-c", "2", "-sc", "false", "-strideSize", "32", "-strideCount", "8");

    private static final List<String> JVM = List.of("-jvmArgs", "-ea -Xmx512m");

    @ParameterizedTest
    @ValueSource(strings = {"rdma-native", "shuffle-manager"})
    void noMeetingOfThreadsBreaksAHandOff(String module, @TempDir Path directory) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath(module),
                "org.openjdk.jcstress.Main"));
        command.addAll(SHORT);
        command.addAll(JVM);
        Path said = directory.resolve("said");
        Process stress = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(stress.waitFor(20, TimeUnit.MINUTES)).isTrue();
        } finally {
            stress.destroyForcibly();
        }
        String text = Files.readString(said);
        assertThat(stress.exitValue()).as(text).isZero();
        assertThat(text).contains("Failed tests: No matches", "Error tests: No matches");
    }

    /** That module's tests come first: jcstress runs those of the first list that it finds. */
    private static String classPath(String module) throws IOException {
        Path tests = Path.of("..", module, "target", "test-classes").toRealPath();
        return tests + File.pathSeparator + System.getProperty("java.class.path");
    }
}
