package io.boltshuffle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.cli.base.BoltException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Python programs run with the Spark that their PySpark is made for, or not at all. */
class PythonSparkTest {
    private static final List<String> APPLICATION = List.of("--conf", "a=b", "job.py", "in");

    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();

    PythonSparkTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void onlyTheApplicationCounts() {
        assertThat(PythonSpark.isNeededBy(APPLICATION)).isTrue();
        assertThat(PythonSpark.isNeededBy(List.of("--py-files", "b.py", "app.jar", "c.py")))
                .isFalse();
    }

    @Test
    void sparkIsThatOfTheInstalledPyspark() throws IOException {
        python("4.1.3", "/opt/site/pyspark");

        assertThat(find().orElseThrow().addTo(environment)).containsEntry("SPARK_HOME", "/opt/site/pyspark");
    }

    @Test
    void withoutPysparkTheUserLearnsHowToGetIt() throws IOException {
        program("echo \"No module named 'pyspark'\" >&2; exit 1");

        assertThatThrownBy(this::find)
                .isInstanceOf(BoltException.class)
                .hasMessageContaining("has no pyspark: pip install pyspark==" + SparkLine.NEWEST.release());
    }

    @Test
    void aPysparkOfAnotherLineIsRefused() throws IOException {
        python("4.1.3", "/opt/site/pyspark");

        assertThatThrownBy(() -> PythonSpark.find(environment, APPLICATION, WantedSpark.of(SparkLine.V4_2)))
                .hasMessageContaining("has pyspark 4.1.3, and Spark 4.2 was asked for")
                .hasMessageContaining("pip install pyspark==" + SparkLine.V4_2.release());
    }

    @Test
    void aSparkHomeOfAnotherReleaseIsRefused() throws IOException {
        python("4.1.3", "/opt/site/pyspark");
        sparkHome("4.2.0");

        assertThatThrownBy(this::find)
                .hasMessageContaining("is Spark 4.2.0")
                .hasMessageContaining("pip install pyspark==4.2.0");
    }

    @Test
    void aSparkHomeOfTheSameReleaseStays() throws IOException {
        python("4.2.0", "/opt/site/pyspark");
        sparkHome("4.2.0");

        assertThat(find().orElseThrow().addTo(environment)).isEqualTo(environment);
    }

    @Test
    void aDistributionBringsItsOwnPyspark() throws IOException {
        sparkHome("4.2.0");
        Files.createDirectories(directory.resolve("spark/python/lib"));
        Files.createFile(directory.resolve("spark/python/lib/pyspark.zip"));
        environment.put("PYSPARK_PYTHON", directory.resolve("never started").toString());

        assertThat(find()).isEmpty();
    }

    @Test
    void aReleaseThatIsNotSupportedIsRefused() throws IOException {
        python("3.4.1", "/opt/site/pyspark");

        assertThatThrownBy(this::find).hasMessageContaining("boltshuffle runs on " + SparkLine.supported());
    }

    @Test
    void whatPipHasOfSpark35IsRefused() throws IOException {
        Path home = directory.resolve("pyspark");
        Files.createDirectories(home.resolve("jars"));
        Files.createFile(home.resolve("jars/spark-core_2.12-3.5.9.jar"));
        python("3.5.9", home.toString());

        assertThatThrownBy(this::find)
                .hasMessageContaining("is built for Scala 2.12")
                .hasMessageContaining("point SPARK_HOME at a distribution of Spark 3.5.9 for Scala 2.13");
    }

    private Optional<PythonSpark> find() {
        return PythonSpark.find(environment, APPLICATION, null);
    }

    private void sparkHome(String release) throws IOException {
        Path jars = Files.createDirectories(directory.resolve("spark/jars"));
        Files.createFile(jars.resolve("spark-core_2.13-" + release + ".jar"));
        environment.put("SPARK_HOME", directory.resolve("spark").toString());
    }

    /** Stands for a Python that has that PySpark. */
    private void python(String release, String home) throws IOException {
        program("printf '/usr/bin/python3\\n" + release + "\\n" + home + "\\n'");
    }

    private void program(String script) throws IOException {
        Path program = Files.writeString(directory.resolve("python"), "#!/bin/sh\n" + script + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        environment.put("PYSPARK_PYTHON", program.toString());
    }
}
