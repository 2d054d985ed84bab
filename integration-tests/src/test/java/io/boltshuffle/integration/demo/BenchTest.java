package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ShortCommand;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.runtime.SparkLine;
import io.boltshuffle.cli.runtime.UserCache;
import io.boltshuffle.proof.accelerator.Comet;
import io.boltshuffle.proof.bench.network.NetworkOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Shows that {@code bolt bench} measures what goes by RDMA. The figures mean nothing here, on a machine that does other
 * work.
 */
class BenchTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final Path directory;

    BenchTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    @Tag("ladder")
    void jobsAreCompared() throws Exception {
        Path inputs = directory.resolve("inputs/that are made");
        JsonNode report = measure(
                "job",
                "--job",
                "terasort",
                "--size",
                "8m",
                "--compression",
                "off",
                "--rounds",
                "1",
                "--data",
                inputs.toString());

        assertThat(inputs).isNotEmptyDirectory();

        assertThat(report.at("/comparisons")).singleElement().satisfies(comparison -> {
            assertThat(comparison.at("/title").asText()).isEqualTo("terasort, plain");
            wasByRdma(comparison);
            assertThat(comparison.at("/boltshuffle/taskCpuSeconds/median").asDouble())
                    .isPositive()
                    .isLessThan(comparison.at("/boltshuffle/cpuSeconds/median").asDouble());
        });
    }

    @Test
    @Tag("ci")
    void smallJobsAreComparedOverANetworkLikeThatOfADesk() throws Exception {
        assumeNamespaces();
        JsonNode report = measure(
                "job",
                "--job",
                "wide,join,group-by,narrow",
                "--size",
                "4m",
                "--compression",
                "off",
                "--rounds",
                "1",
                "--partitions",
                "8",
                "--like",
                "mac:14c,1g");

        assertThat(report.at("/comparisons").findValuesAsText("title"))
                .containsExactly("wide, plain", "join, plain", "group-by, plain", "narrow, plain");
        assertThat(report.at("/comparisons")).allSatisfy(BenchTest::wasByRdma);
        assertThat(report.at("/network/title").asText())
                .isEqualTo("like Macs of 14 cores with 1 GbE and a Thunderbolt 5 cable");
        assertThat(ShortCommand.run(SOON, List.of("ip", "netns", "list"))).doesNotContain("bolt-");
    }

    /** Two of Spark's own queries; all of them: {@code --query all}. */
    @Test
    @Tag("ladder")
    void queriesGiveWhatTheyGiveWithStockSpark() throws Exception {
        JsonNode report = measure(
                "job",
                "--answers",
                "--rounds",
                "1",
                "--scale",
                "0.01",
                "--job",
                "tpch",
                "--query",
                "q3,q18",
                "--adaptive",
                "on,off",
                "--compression",
                "on");

        assertThat(report.at("/comparisons").findValuesAsText("title"))
                .containsExactly(
                        "tpch q18, compressed",
                        "tpch q18 without AQE, compressed",
                        "tpch q3, compressed",
                        "tpch q3 without AQE, compressed");
        assertThat(report.at("/faults")).isEmpty();
    }

    /** Queries of TPC-DS with an accelerator, by itself and with the plugin. */
    @Test
    @Tag("ci")
    void cometGivesTheAnswersThatItGivesByTcp() throws Exception {
        assumeComet();
        JsonNode report = measure(
                "job",
                "--answers",
                "--with",
                "comet",
                "--spark",
                "4.1",
                "--rounds",
                "1",
                "--scale",
                "0.01",
                "--job",
                "tpcds,wide",
                "--size",
                "4m",
                "--query",
                "q3,q64,q95",
                "--compression",
                "on");

        assertThat(report.at("/comparisons").findValuesAsText("title"))
                .containsExactlyInAnyOrder(
                        "wide, compressed",
                        "q3, compressed",
                        "q64, compressed",
                        "q95, compressed",
                        "wide, compressed, Comet",
                        "q3, compressed, Comet",
                        "q64, compressed, Comet",
                        "q95, compressed, Comet");
        assertThat(report.at("/faults")).isEmpty();
        assertThat(report.at("/totalWithComet/sparkWallRatio").asDouble()).isPositive();
    }

    private static void assumeComet() {
        try {
            Comet.of(SparkLine.V4_1, UserCache.of(System.getenv()), Console.standardError());
        } catch (BoltException e) {
            abort(e.getMessage());
        }
    }

    @Test
    @Tag("ladder")
    void theEtlJobIsComparedFromTablesToParquet() throws Exception {
        JsonNode report = measure("job", "--job", "etl", "--scale", "0.01", "--compression", "on", "--rounds", "1");

        assertThat(report.at("/comparisons")).singleElement().satisfies(comparison -> {
            assertThat(comparison.at("/title").asText()).isEqualTo("etl, compressed");
            wasByRdma(comparison);
        });
    }

    @Test
    @Tag("ladder")
    void stockTakesPartInEveryWayThatWasAskedFor() throws Exception {
        assumeThat(System.getProperty("os.name")).isEqualTo("Linux");
        JsonNode report = measure(
                "job",
                "--job",
                "wide",
                "--size",
                "4m",
                "--compression",
                "on",
                "--rounds",
                "1",
                "--baseline",
                "default,nio,epoll,connections-4,tmpfs");

        assertThat(report.at("/comparisons")).singleElement().satisfies(comparison -> {
            wasByRdma(comparison);
            for (String name : List.of("nio", "epoll", "connections-4", "tmpfs")) {
                assertThat(comparison.at("/" + name + "/remoteMegabytes/median").asDouble())
                        .isPositive();
                assertThat(comparison.at("/" + name + "WallRatio").asDouble()).isPositive();
            }
        });
        assertThat(report.at("/command").asText()).startsWith("bolt bench job --report ");
        assertThat(report.at("/spark").asText()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(report.at("/unfinished").asBoolean()).isFalse();
    }

    @Test
    @Tag("ladder")
    void fetchingIsComparedOverAPairOfNamespacesToo() throws Exception {
        assumeNamespaces();
        VerbRun fetch = VerbRun.of(
                directory,
                List.of(
                        "bench",
                        "fetch",
                        "--quick",
                        "--block-size",
                        "1m",
                        "--cables",
                        "send",
                        "--path",
                        "loopback,veth-9000,veth-1500-no-offloads",
                        "--baseline",
                        "nio"));

        assertThat(fetch.exitCode()).as(fetch.err()).isZero();
        JsonNode report = fetch.json();
        // Where there is no ethtool the last path is skipped.
        assertThat(report.at("/points").size() + 2 * report.at("/skipped").size())
                .isEqualTo(6);
        assertThat(report.at("/points").findValuesAsText("path")).startsWith("loopback", "loopback", "veth-9000");
        assertThat(report.at("/points").findValuesAsText("baseline")).startsWith("default", "nio", "default", "nio");
        assertThat(report.at("/points"))
                .allSatisfy(point -> assertThat(
                                point.at("/boltshuffle/rdmaShare/median").asDouble())
                        .isGreaterThan(0.7));
        assertThat(ShortCommand.run(SOON, List.of("ip", "netns", "list"))).doesNotContain("bolt-");
    }

    @Test
    @Tag("ladder")
    void aBenchThatIsStoppedTellsWhatItHasMeasured() throws Exception {
        Path work = Files.createDirectories(directory.resolve("work"));
        ProcessBuilder command = UnpackedBolt.command(
                BuiltCheckout.in(directory.resolve("a bolt")).launcher(),
                "bench",
                "job",
                "--job",
                "wide",
                "--size",
                "4m",
                "--compression",
                "off",
                "--rounds",
                "50",
                "--json",
                "--emulator",
                BuiltCheckout.EMULATOR,
                "--work-dir",
                work.toString());
        try (RunningBolt bench = RunningBolt.start(command, directory, work)) {
            bench.awaitSaid("wide, plain, boltshuffle: ");
            bench.terminate();

            assertThat(bench.exitCode()).as(bench.err()).isEqualTo(143);
            assertThat(bench.err()).contains("the run did not come to its end; this is what it had measured");
            JsonNode report = new ObjectMapper().readTree(bench.out());
            assertThat(report.at("/unfinished").asBoolean()).isTrue();
            assertThat(report.at("/comparisons")).singleElement().satisfies(BenchTest::wasByRdma);
        }
        assertThat(work).isEmptyDirectory();
    }

    /** Skips the test with the reason that a user would see. */
    private static void assumeNamespaces() {
        try {
            NetworkOptions options = new NetworkOptions();
            new CommandLine(options).parseArgs("--network", "1gbit");
            options.check(new ClusterSpec(2, 1, "512m"));
        } catch (BoltException e) {
            abort(e.getMessage());
        }
    }

    @Test
    @Tag("ladder")
    void blocksInMemoryAreComparedAndGoByRdma() throws Exception {
        VerbRun blocks = VerbRun.of(
                directory,
                List.of("bench", "blocks", "--quick", "--broadcast", "64k,16m", "--cached", "4m", "--result", "4m"));

        assertThat(blocks.exitCode()).as(blocks.err()).isZero();
        JsonNode points = blocks.json().at("/points");
        assertThat(points.findValuesAsText("work")).containsExactly("broadcast", "broadcast", "cached", "result");
        // Of a broadcast's pieces, Netty brings the first one, unless another was asked for before it.
        assertThat(points.get(0).at("/boltshuffle/rdmaShare/median").asDouble()).isZero();
        assertThat(points.get(1).at("/boltshuffle/rdmaShare/median").asDouble()).isGreaterThan(0.7);
        assertThat(points.get(2).at("/boltshuffle/rdmaShare/median").asDouble()).isGreaterThan(0.9);
        assertThat(points.get(3).at("/boltshuffle/rdmaShare/median").asDouble()).isGreaterThan(0.9);
        assertThat(points).allSatisfy(point -> {
            assertThat(point.at("/stock/rdmaShare/median").asDouble()).isZero();
            assertThat(point.at("/timeRatio").asDouble()).isPositive();
        });
    }

    /** The driver runs on one of the two hosts, in its network namespace. */
    @Test
    @Tag("ladder")
    void blocksInMemoryAreComparedOnTheNetworkOfADesk() throws Exception {
        assumeNamespaces();
        VerbRun blocks = VerbRun.of(
                directory,
                List.of(
                        "bench",
                        "blocks",
                        "--quick",
                        "--broadcast",
                        "16m",
                        "--cached",
                        "4m",
                        "--result",
                        "4m",
                        "--like",
                        "mac:14c,1g"));

        assertThat(blocks.exitCode()).as(blocks.err()).isZero();
        assertThat(blocks.json().at("/network/title").asText()).contains("1 GbE");
        assertThat(blocks.json().at("/points"))
                .hasSize(3)
                .allSatisfy(point -> assertThat(
                                point.at("/boltshuffle/rdmaShare/median").asDouble())
                        .isGreaterThan(0.7));
        assertThat(ShortCommand.run(SOON, List.of("ip", "netns", "list"))).doesNotContain("bolt-");
    }

    /** Runs it to its end: 0, or 1 where an aim is missed. */
    private JsonNode measure(String level, String... options) throws Exception {
        Path page = directory.resolve("bench.html");
        List<String> words = new ArrayList<>(List.of("bench", level, "--report", page.toString()));
        words.addAll(List.of(options));

        VerbRun bench = VerbRun.of(directory, words);

        assertThat(bench.exitCode()).as(bench.err()).isIn(0, 1);
        assertThat(bench.err()).as("figures of each application, at its end").contains(" s, waiting for blocks ");
        assertThat(page).content().contains("<table");
        return bench.json();
    }

    private static void wasByRdma(JsonNode comparison) {
        assertThat(comparison.at("/boltshuffle/rdmaShare").asDouble()).isGreaterThan(0.9);
        assertThat(comparison.at("/stock/remoteMegabytes/median").asDouble()).isPositive();
        assertThat(comparison.at("/boltshuffle/remoteMegabytes/median").asDouble())
                .isPositive();
    }
}
