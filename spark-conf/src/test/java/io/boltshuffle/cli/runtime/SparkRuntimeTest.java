package io.boltshuffle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkRuntimeTest {
    private final Path home;

    SparkRuntimeTest(@TempDir Path home) {
        this.home = home;
    }

    @Test
    void theVersionIsReadFromTheJars() throws IOException {
        withCore("2.13", "4.1.7");

        SparkRuntime runtime = SparkRuntime.at(home);

        assertThat(runtime.release()).isEqualTo("4.1.7");
        assertThat(runtime.line()).isEqualTo(SparkLine.V4_1);
    }

    @Test
    void aDirectoryWithoutSparkIsNamed() {
        assertRefused("there is no Spark at " + home);
    }

    @Test
    void anUnsupportedLineIsNamedWithTheSupportedOnes() throws IOException {
        withCore("2.13", "3.4.4");

        assertRefused("is 3.4.4: boltshuffle runs on 3.5, 4.0, 4.1, 4.2, 4.3");
    }

    @Test
    void aNewerLineIsStartedAsTheNewestIs() throws IOException {
        withCore("2.13", "4.9.0");

        SparkRuntime runtime = SparkRuntime.at(home);

        assertThat(runtime.release()).isEqualTo("4.9.0");
        assertThat(runtime.line()).isEqualTo(SparkLine.NEWEST);
        assertThat(SparkLine.startingLike("10.0.0")).contains(SparkLine.NEWEST);
        assertThat(SparkLine.startingLike("3.4.4")).isEmpty();
    }

    @Test
    void aBuildForAnotherScalaIsNamed() throws IOException {
        withCore("2.12", "3.5.9");

        assertRefused("is built for Scala 2.12");
    }

    @Test
    void olderLinesRefuseAJavaTheyCannotRunOn() {
        SparkLine.V4_1.requireJava(21);
        SparkLine.V4_2.requireJava(25);

        assertThatThrownBy(() -> SparkLine.V4_1.requireJava(25))
                .hasMessage("Spark 4.1 does not run on Java 25: set JAVA_HOME to a JDK 17 or 21, or use Spark 4.3");
    }

    @Test
    void aLineIsFoundByItsLabelOrByARelease() {
        assertThat(SparkLine.of("4.0")).contains(SparkLine.V4_0);
        assertThat(SparkLine.of("4.0.1")).contains(SparkLine.V4_0);
        assertThat(SparkLine.of("4.01")).isEmpty();
        assertThat(SparkLine.of("4.3.1")).contains(SparkLine.V4_3);
        assertThat(SparkLine.of("4.9.0")).isEmpty();
    }

    private void assertRefused(String message) {
        assertThatThrownBy(() -> SparkRuntime.at(home))
                .hasMessageContaining(message)
                .asInstanceOf(InstanceOfAssertFactories.type(BoltException.class))
                .returns(ExitCode.ENVIRONMENT, BoltException::exitCode);
    }

    private void withCore(String scala, String release) throws IOException {
        Path jars = Files.createDirectories(home.resolve("jars"));
        Files.createFile(jars.resolve("spark-core_" + scala + "-" + release + ".jar"));
    }
}
