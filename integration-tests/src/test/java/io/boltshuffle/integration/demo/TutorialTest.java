package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tutorial's commands, as they stand on the page, one after the other in one directory. */
@Tag("slow")
class TutorialTest {
    private static final Path PAGE = Path.of("..", "docs", "notebooks.md");
    private static final Pattern BLOCK =
            Pattern.compile("(?ms)^<!-- (needs pyspark|run by TutorialTest) -->\n```sh\n(.*?)^```$");

    private static final String JAVA = "run by TutorialTest";
    private static final String PYTHON = "needs pyspark";

    private final Path directory;
    private final Path work;
    private final UnpackedBolt bolt;

    TutorialTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.work = Files.createDirectories(directory.resolve("work"));
        this.bolt = UnpackedBolt.in(directory.resolve("bolt"));
    }

    @Tag("ci")
    @Test
    void theJavaFormRuns() throws Exception {
        String out = run(blocks(JAVA));

        assertThat(out).contains("mean_order", "so_far", "place", "MACHINERY");
        assertThat(parquetFiles("training/split=train")).isNotEmpty();
        assertThat(parquetFiles("training/split=test")).isNotEmpty();
    }

    @Tag("ci")
    @Test
    void thePythonFormRunsToo() throws Exception {
        try (RunningBolt python = run("bash", "-c", "python3 -c 'import pyspark'")) {
            assumeTrue(python.exitCode() == 0, "pyspark is not installed: its form is not run");
        }

        run(List.of(blocks(JAVA).get(0), String.join("\n", blocks(PYTHON))));

        assertThat(parquetFiles("training-by-python/split=train")).isNotEmpty();
    }

    /** At least this much is known of its form where PySpark is missing. */
    @Test
    void thePythonFormCompiles() throws Exception {
        assumeTrue(isOnThePath("python3"), "python3 is not installed: the Python form is not even compiled");

        try (RunningBolt python =
                run("bash", "-euc", "python3 -m py_compile \"$EXAMPLES\"/*.py \"$EXAMPLES\"/../profiles/*.py")) {
            assertThat(python.exitCode()).as(python.err()).isZero();
        }
    }

    private static boolean isOnThePath(String program) {
        return Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    private static List<String> blocks(String mark) throws IOException {
        return BLOCK.matcher(Files.readString(PAGE))
                .results()
                .filter(block -> block.group(1).equals(mark))
                .map(block -> block.group(2))
                .toList();
    }

    private String run(List<String> blocks) throws Exception {
        assertThat(blocks).isNotEmpty();
        try (RunningBolt shell = run("bash", "-euc", String.join("\n", blocks))) {
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            return shell.out();
        }
    }

    private RunningBolt run(String... words) throws IOException {
        ProcessBuilder command = UnpackedBolt.command(Path.of(words[0]));
        List<String> arguments = new ArrayList<>(List.of(words));
        command.command(arguments).directory(work.toFile());
        command.environment().put("LIB", bolt.lib().toString());
        command.environment()
                .put("EXAMPLES", bolt.lib().resolveSibling("examples").toString());
        command.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        command.environment()
                .merge("PATH", bolt.launcher().resolveSibling("").toString(), (path, ours) -> ours + ":" + path);
        return RunningBolt.start(command, directory, work);
    }

    private List<Path> parquetFiles(String place) throws IOException {
        try (Stream<Path> files = Files.list(work.resolve(place))) {
            return files.filter(file -> file.toString().endsWith(".parquet")).toList();
        }
    }
}
