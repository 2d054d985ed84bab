package io.boltshuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Chooses among the jars of the Spark that the tests run with. Every test that starts an agent shows that an agent runs
 * with what is chosen.
 */
class AgentClassPathTest {
    private static final Path OWN = Path.of("/plugin.jar");

    private final Path directory;

    AgentClassPathTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void theJarsThatTheAgentNeedsAreNamed() throws IOException {
        try (URLClassLoader spark = new URLClassLoader(testClassPath(), null)) {
            List<String> jars = AgentClassPath.jars(spark).orElseThrow().stream()
                    .map(jar -> jar.getFileName().toString())
                    .toList();
            assertThat(jars)
                    .anyMatch(jar -> jar.startsWith("slf4j-api-"))
                    .anyMatch(jar -> jar.startsWith("log4j-core-"))
                    .anyMatch(jar -> jar.startsWith("jackson-databind-"))
                    .anyMatch(jar -> jar.startsWith("spark-network-shuffle_"))
                    .anyMatch(jar -> jar.startsWith("spark-network-common_"))
                    .noneMatch(jar -> jar.startsWith("spark-core_"))
                    .hasSizeLessThan(25)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void directoriesOfAnExecutorAreKeptForTheirSettingsOfLogging() throws IOException {
        List<String> inherited = List.of(directory.toString(), "/spark/jars/*", "/some.jar");
        String path = AgentClassPath.ofExecutor(OWN, getClass().getClassLoader(), inherited);
        assertThat(path.split(File.pathSeparator))
                .startsWith(OWN.toString(), directory.toString())
                .doesNotContain("/spark/jars/*", "/some.jar");
    }

    @Test
    void withASparkUnlikeThoseThatAreKnownTheAgentHasAllOfIt() throws IOException {
        try (URLClassLoader nothing = new URLClassLoader(new URL[0], null)) {
            assertThat(AgentClassPath.ofExecutor(OWN, nothing, List.of("/spark/jars/*", "/some.jar")))
                    .isEqualTo(String.join(File.pathSeparator, OWN.toString(), "/spark/jars/*", "/some.jar"));
        }
    }

    @Test
    void pathsMayHaveSpaces() throws IOException {
        Path spaced = Files.createDirectories(directory.resolve("a b"));
        List<URL> moved = new ArrayList<>();
        for (URL url : testClassPath()) {
            Path jar = Path.of(url.getPath());
            if (jar.getFileName().toString().matches("(slf4j-api|jackson-databind|spark-network-shuffle_).*\\.jar")) {
                moved.add(Files.copy(jar, spaced.resolve(jar.getFileName()))
                        .toUri()
                        .toURL());
            }
        }
        try (URLClassLoader spark = new URLClassLoader(moved.toArray(URL[]::new), null)) {
            assertThat(AgentClassPath.jars(spark).orElseThrow())
                    .hasSize(3)
                    .allSatisfy(jar -> assertThat(jar).hasParent(spaced).exists());
        }
    }

    private static URL[] testClassPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(AgentClassPathTest::url)
                .toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
