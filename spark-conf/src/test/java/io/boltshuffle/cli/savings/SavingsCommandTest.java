package io.boltshuffle.cli.savings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.Bolt;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.savings.log.LogText;
import io.boltshuffle.cli.savings.log.LogText.Rdd;
import io.boltshuffle.cli.savings.log.LogText.Stage;
import io.boltshuffle.cli.savings.log.LogText.Task;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SavingsCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Path directory;

    SavingsCommandTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** Ten seconds on four cores: tasks write 1 s into small blocks, and wait 4 s for 400 MB. */
    private Path log(String application, Map<String, String> settings) throws IOException {
        return LogText.start(application, settings)
                .job(
                        new Stage(
                                0, "map at Job.java:1", List.of(), List.of(new Rdd(1, "Mapped", "map", 8, List.of()))),
                        new Stage(
                                1,
                                "collect at Job.java:2",
                                List.of(0),
                                List.of(new Rdd(2, "ShuffledRDD", "sortByKey", 8, List.of(1)))))
                .task(Task.map(0, 1_000, 10_000, 1_000_000_000))
                .task(Task.reduce(1, 2_000, 200_000_000, 1_000))
                .task(Task.reduce(1, 2_000, 200_000_000, 1_000))
                .end()
                .write(directory.resolve("app-1"));
    }

    @Test
    void theTableNamesStagesLargestFirstWithASumAndAnAnswer() throws IOException {
        assertThat(run(log("my job", Map.of()).toString(), "--network", "1g")).isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .startsWith("AN ESTIMATE, not a measurement.")
                .contains("my job (app-1): Spark 4.2.0, 2 hosts, 4 cores, ran 10.0 s")
                .containsSubsequence(
                        "1 collect at Job.java:2", "0 map at Job.java:1", "all ", "1g, as above", "bridge ", "Assumed:")
                .containsPattern("0 map at Job.java:1 +1 +bypass +1000 B +1.0 +0 B +0.0 +0.4 to 0.9")
                .containsPattern("The answer: worth a try: of 10.0 s that the job took, about 0.9 to 2.8 s would be s");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aJobThatNeitherWaitsNorWritesIsToldSo() throws IOException {
        Path log = LogText.start("my job", Map.of())
                .task(Task.reduce(0, 0, 0, 0))
                .end()
                .write(directory.resolve("app-1"));

        assertThat(run(log.toString())).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("the plugin would save nothing");
    }

    @Test
    void aJobThatWaitsLittleIsToldThatItIsHardlyWorthIt() throws IOException {
        Path log = LogText.start("my job", Map.of())
                .task(Task.reduce(0, 150, 1_000, 0))
                .end()
                .write(directory.resolve("app-1"));

        assertThat(run(log.toString())).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("The answer: hardly worth it: of 10.0 s");
    }

    @Test
    void aRunWithThePluginIsNotEstimated() throws IOException {
        Path log = log("my job", Map.of("spark.shuffle.manager", "io.boltshuffle.spark.BoltShuffleManager"));

        assertThat(run(log.toString())).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .contains("  note: it ran with boltshuffle already, so there is nothing to estimate")
                .contains("The answer: none; these logs are not of Spark's own shuffle.")
                .doesNotContain("saved s");
    }

    @Test
    void theJsonHasAllFiguresOfEveryStage() throws IOException {
        assertThat(run(log("my job", Map.of()).toString(), "--json")).isEqualTo(ExitCode.OK);

        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.path("kind").asText()).isEqualTo("estimate");
        assertThat(json.path("network").asText()).isEqualTo("10g");
        assertThat(json.path("assumptions")).isNotEmpty();
        assertThat(json.path("onNetworks")).hasSize(4);
        JsonNode stage = json.path("applications").path(0).path("stages").path(0);
        assertThat(stage.path("writer").asText()).isEqualTo("bypass");
        assertThat(stage.path("temporaryFilesAtMost").asLong()).isEqualTo(8);
        assertThat(stage.path("writeSeconds").asDouble()).isEqualTo(1);
        assertThat(stage.path("saved").path("writeSeconds").path("high").asDouble())
                .isEqualTo(0.89);
        assertThat(json.path("saved").path("jobSeconds").path("high").asDouble())
                .isPositive();
    }

    @Test
    void namesFromTheLogAreHarmlessInThePage() throws IOException {
        Path page = directory.resolve("savings.html");
        Path log = log(
                "<script>alert('x')</script>&", Map.of("spark.shuffle.sort.io.plugin.class", "<img src=x onerror=y>"));

        assertThat(run(log.toString(), "--html", page.toString())).isEqualTo(ExitCode.OK);

        assertThat(Files.readString(page))
                .contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;", "&lt;img src=x onerror=y&gt;")
                .contains("<table>", "prefers-color-scheme: dark", "AN ESTIMATE")
                .doesNotContain("<script", "<img", "http:", "https:");
    }

    @Test
    void severalLogsAreToldApart() throws IOException {
        Path one = log("first", Map.of());
        Path two = LogText.start("second", Map.of())
                .task(Task.reduce(0, 150, 1_000, 0))
                .end()
                .write(directory.resolve("app-2"));

        assertThat(run(one.toString(), two.toString())).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .contains("first 1 collect at Job.java:2", "second 0", "of 20.0 s that the jobs took")
                .containsPattern("(?m)^first +10\\.0 ")
                .containsPattern("(?m)^second +10\\.0 ");
    }

    @Test
    void onlyWhatTheEstimateUsedIsAssumed() throws IOException {
        assertThat(run(log("my job", Map.of()).toString())).isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .contains("network: ", "wait for blocks: ", "written time", "temporary files", "time of the job: ")
                .doesNotContain("zstd", "serialized writer", "rows of SQL:", "0 to 0 %");
    }

    @Test
    void applicationsOfOneNameAreToldApartAndEachStageHasOneLine() throws IOException {
        Path one = log("PySparkShell", Map.of());
        Path two = LogText.start("PySparkShell", Map.of(), "app-2")
                .job(new Stage(
                        0,
                        "start at Job.java:3\\nid = 7\\nrunId = 8",
                        List.of(),
                        List.of(new Rdd(1, "Mapped", "map", 8, List.of()))))
                .task(Task.reduce(0, 150, 1_000, 0))
                .end()
                .write(directory.resolve("app-2"));

        assertThat(run(one.toString(), two.toString())).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .containsPattern("(?m)^app-2 0 start at Job\\.java:3\\.\\.\\. +1 ")
                .containsPattern("(?m)^PySparkShell app-2 +10\\.0 ")
                .doesNotContain("\nid = 7");
    }

    @Test
    void directoriesThatAreNotLookedIntoAreNamed() throws IOException {
        Files.createDirectories(directory.resolve("older/deep"));

        assertThat(run(directory.resolve("older").toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("older; directories in it are not looked into: deep; name them, too");
    }

    @ParameterizedTest
    @CsvSource({
        "--network usb, is none of 1g",
        "--cable loopback, --cable is loopback",
        "--html /nowhere/page.html, cannot write /nowhere/page.html",
        "--netwrok 1g, did you mean --network",
    })
    void aWrongOptionIsNamedAndExitsWithTwo(String option, String message) throws IOException {
        String[] words = option.split(" ", -1);

        assertThat(run(log("my job", Map.of()).toString(), words[0], words[1])).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("bolt: ").contains(message);
    }

    private int run(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "savings";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Bolt.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }
}
