package io.boltshuffle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.os.SystemCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which Spark a command takes, and how it gets one that Maven has not; a script stands for Python. */
class SparkRuntimesTest {
    /** Answers as a Python does whose pip fetches an archive that has the jars of Spark 4.3.0. */
    private static final String PIP_THAT_FETCHES = """
            case "$*" in
              --version | "-m pip --version") ;;
              "-m pip download "*)
                echo "$*" >"$0.asked"
                for word in "$@"; do case $word in --dest=*) into=${word#--dest=} ;; esac; done
                mkdir -p "$TMPDIR/pyspark-4.3.0/deps/jars/connect-repl"
                cd "$TMPDIR"
                : >pyspark-4.3.0/deps/jars/spark-core_2.13-CORE.jar
                : >pyspark-4.3.0/deps/jars/other-1.jar
                : >pyspark-4.3.0/setup.py
                tar -czf "$into/pyspark-4.3.0.tar.gz" pyspark-4.3.0
                ;;
              *) exec python3 "$@" ;;
            esac
            """;

    private static final String PIP_WITHOUT_INDEX = """
            case "$*" in
              "-m pip download "*)
                echo "ERROR: Could not find a version that satisfies pyspark==4.3.0 (from versions: none)"
                exit 1
                ;;
            esac
            """;

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Path directory;
    private final Path cache;
    private final Map<String, String> environment = new HashMap<>();

    SparkRuntimesTest(@TempDir Path directory) {
        this.directory = directory;
        this.cache = directory.resolve("cache");
    }

    @Test
    void sparkHomeMayBeAPysparkOfPip() throws IOException {
        Path pyspark = venv("4.2.1");
        environment.put("SPARK_HOME", pyspark.toString());

        assertThat(find(null)).returns("4.2.1", SparkRuntime::release).returns(pyspark, SparkRuntime::home);
    }

    @Test
    void thePysparkOfTheActiveEnvironmentIsTaken() throws IOException {
        Path pyspark = venv("4.3.0");

        assertThat(find(null)).returns("4.3.0", SparkRuntime::release).returns(pyspark, SparkRuntime::home);
        assertThat(find("4.3")).returns(pyspark, SparkRuntime::home);
    }

    @Test
    void anEnvironmentWithAnotherReleaseThanIsWantedIsPassedOver() throws IOException {
        venv("4.3.0");
        cached("4.2.0");

        assertThat(find("4.2")).returns("4.2.0", SparkRuntime::release);
    }

    @Test
    void anEnvironmentWhosePysparkCannotRunThePluginIsPassedOver() throws IOException {
        withCore(directory.resolve("venv/lib/python3.11/site-packages/pyspark"), "2.12", "3.5.9");
        environment.put("VIRTUAL_ENV", directory.resolve("venv").toString());
        cached("4.3.0");

        assertThat(find(null)).returns("4.3.0", SparkRuntime::release);
    }

    @Test
    void aReleaseThatMavenHasNotIsFetchedByPip() throws IOException {
        Path python = python(PIP_THAT_FETCHES.replace("CORE", "4.3.0"));

        SparkRuntime runtime = find("4.3", python);

        assertThat(runtime)
                .returns("4.3.0", SparkRuntime::release)
                .returns(cache.resolve("spark-4.3.0"), SparkRuntime::home);
        assertThat(Files.readString(directory.resolve("python.asked")))
                .contains("--no-deps", "--ignore-requires-python", "pyspark==4.3.0");
        assertThat(names(runtime.jars())).containsExactlyInAnyOrder("spark-core_2.13-4.3.0.jar", "other-1.jar");
        assertThat(names(cache)).containsExactly("spark-4.3.0");
    }

    @Test
    void anArchiveWithAnotherSparkIsRefusedAndLeavesNothing() throws IOException {
        Path python = python(PIP_THAT_FETCHES.replace("CORE", "4.2.9"));

        assertThatThrownBy(() -> find("4.3", python)).hasMessageContaining("pip's pyspark 4.3.0 contains Spark 4.2.9");
        assertThat(names(cache)).isEmpty();
    }

    @Test
    void anIndexOutOfReachIsNamedAndLeavesNothing() throws IOException {
        Path python = python(PIP_WITHOUT_INDEX);

        assertThatThrownBy(() -> find("4.3", python)).hasMessageContaining("package index is out of reach");
        assertThat(names(cache)).isEmpty();
    }

    @Test
    void withoutPythonTheUserLearnsThatItIsNeeded() {
        assertThatThrownBy(() -> find("4.2.1", directory.resolve("no python")))
                .hasMessageContaining("is needed to gather Spark 4.2.1 and is not on the PATH")
                .hasMessageContaining("install Python 3 with pip");
    }

    @Test
    void aPythonWithNeitherPipNorVenvIsNamed() throws IOException {
        Path python = python("[ \"$*\" = --version ]");

        assertThatThrownBy(() -> find("4.3", python))
                .hasMessageContaining("has neither pip nor venv")
                .hasMessageContaining("apt-get install python3-venv");
    }

    @Test
    void aPythonWithoutPipMakesAnEnvironmentThatHasIt() throws IOException {
        Path pip = python(PIP_THAT_FETCHES.replace("CORE", "4.3.0"));
        Path bare = Files.writeString(directory.resolve("bare"), """
                #!/bin/sh
                case "$*" in
                  --version) ;;
                  "-m pip "*) exit 1 ;;
                  "-m venv "*) mkdir -p "$3/bin" && ln -s "%s" "$3/bin/python" ;;
                  *) exec python3 "$@" ;;
                esac
                """.formatted(pip));
        assertThat(bare.toFile().setExecutable(true)).isTrue();

        assertThat(find("4.3", bare)).returns("4.3.0", SparkRuntime::release);
    }

    @Test
    void withoutAWishTheNewestIsTakenThatCanBeHad() throws IOException {
        cached("4.2.0");

        assertThat(find(null, python(PIP_WITHOUT_INDEX))).returns("4.2.0", SparkRuntime::release);

        cached("4.3.0");

        assertThat(find(null, directory.resolve("no python"))).returns("4.3.0", SparkRuntime::release);
    }

    @Test
    void aReleaseOfSpark35IsNotFetchedForAnotherScala() {
        assertThatThrownBy(() -> find("3.5.7"))
                .hasMessageContaining("pip, which has Spark 3.5 for Scala 2.12 only: use --spark 3.5");
    }

    @Test
    void suitesOfALineThatMavenHasNotAreNotLookedFor() {
        assertThatThrownBy(() -> runtimes(Path.of("python3")).findWithSuites(SparkLine.V4_3))
                .hasMessage("Spark 4.3.0 is not on Maven Central, nor are its test suites: run those of Spark 4.2");
    }

    private SparkRuntime find(@Nullable String wanted) {
        return find(wanted, directory.resolve("no python"));
    }

    private SparkRuntime find(@Nullable String wanted, Path python) {
        return runtimes(python)
                .find(wanted == null ? null : WantedSpark.of(wanted).orElseThrow());
    }

    private SparkRuntimes runtimes(Path python) {
        return new SparkRuntimes(environment, new UserCache(cache), Console.standardError(), python.toString());
    }

    private Path venv(String release) throws IOException {
        Path pyspark = directory.resolve("venv/lib/python3.11/site-packages/pyspark");
        withCore(pyspark, "2.13", release);
        environment.put("VIRTUAL_ENV", directory.resolve("venv").toString());
        return pyspark;
    }

    private void cached(String release) throws IOException {
        withCore(cache.resolve("spark-" + release), "2.13", release);
    }

    private static void withCore(Path home, String scala, String release) throws IOException {
        Path jars = Files.createDirectories(home.resolve("jars"));
        Files.createFile(jars.resolve("spark-core_" + scala + "-" + release + ".jar"));
    }

    /** Writes a script that stands for Python; what it passes on is Python's to do. */
    private Path python(String script) throws IOException {
        assumeTrue(
                !script.contains("exec python3")
                        || SystemCommand.run(LIMIT, List.of("python3", "--version"))
                                .succeeded(),
                "there is no python3");
        Path program = Files.writeString(directory.resolve("python"), "#!/bin/sh\n" + script);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
