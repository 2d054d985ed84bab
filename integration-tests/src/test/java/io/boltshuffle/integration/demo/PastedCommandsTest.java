package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.Bolt;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Runs what people are shown to paste: the examples in the {@code --help} of every verb, and blocks of the pages. */
@ExtendWith(OneClusterAtATime.class)
class PastedCommandsTest {
    /** An example is two spaces, the command, and what is said of it behind more spaces. A backslash continues it. */
    private static final Pattern EXAMPLE = Pattern.compile("(?m)^  (bolt (?:[^\n]*\\\\\n *)*[^\n]*?)(?: {2,}.*)?$");

    private static final Path EVIDENCE = Path.of("../spark-conf/src/test/resources/doctor/healthy/2-macs-26.3");

    /** Examples with the exit codes they may end with and what they print; pasted in this order into one directory. */
    private static final List<Pasted> PASTED = List.of(
            new Pasted("bolt verify --virtual", "0", "checked stream"),
            // On a machine without RDMA devices the doctor's answer is a failure.
            new Pasted("bolt doctor", "0,1,4", "(OK|WARNING|FAILURE) "),
            new Pasted("bolt topology --from " + evidence() + " --hostfile hosts.json", "0", "2 hosts"),
            new Pasted("bolt topology --read hosts.json", "0", "mac1 .* RDMA .* mac2"),
            new Pasted("bolt agent install --host mac1 --dry-run", "0", "boltshuffle"),
            new Pasted(
                    "bolt spark-submit --class io.boltshuffle.examples.FirstJoin \\\n"
                            + "    spark-conf/target/lib/boltshuffle-cli-*.jar 1000000",
                    "0",
                    "FirstJoin: 1000000 rows, "));

    /**
     * These commands measure, and what they measure misses its limits on a machine that does other work: exit code 1.
     */
    private static final List<Pasted> MEASURED = List.of(
            new Pasted("bolt bench link --mode send --rounds 1 --seconds 1", "0,1", "GB/s"),
            new Pasted("bolt bench fetch --quick --json > fetch.json", "0", ""),
            new Pasted("bolt bench fetch --trace --cables send", "0", "changes of thread"),
            new Pasted("bolt bench write --rows 2 --codec lz4 --rounds 1", "0", "boltshuffle"));

    /** Examples that need Macs or change this user's services, or that another test runs. */
    private static final List<String> ELSEWHERE = List.of(
            "bolt agent --host mac1 --conf spark.boltshuffle.agent.slab=2g", // AgentVerbTest, on a virtual device
            "bolt agent install --host mac1",
            "bolt agent pause --for 2h",
            "bolt agent resume",
            "bolt agent status", // AgentVerbTest, where an agent runs
            "bolt agent status --json",
            "bolt agent uninstall",
            "bolt bench blocks --like mac:14c,10g",
            "bolt bench blocks --quick --json > blocks.json", // BenchTest, smaller
            "bolt bench job --job terasort --size 64m --rounds 1", // BenchTest, smaller
            "bolt bench job --size 4g --scale 1 --data inputs --report job.html",
            "bolt bench job --job notebook --partitions 200 --runs 5 --compression on",
            "bolt bench job --job tpcds --partitions 200 --tuned --compression on",
            "bolt bench job --answers --job tpch --query q3,q18 --adaptive on,off", // BenchTest
            "bolt bench job --answers --job tpcds --query all --part 1/8 --rounds 1",
            "bolt bench job --job wide --baseline nio,epoll,connections-4,tmpfs", // BenchTest, smaller
            "bolt bench job --job tpcds --compression on --with comet --spark 4.1", // BenchTest, smaller
            "bolt bench fetch --baseline nio,connections-4 --path loopback,veth-1500", // BenchTest, smaller
            "bolt bench write --rounds 5 --local-dir scratch",
            "bolt bench write --codec lz4 --execution-memory 24m",
            "bolt bench job --job wide,join,group-by,narrow --like mac:14c,10g", // BenchTest, smaller
            "bolt cluster start", // LocalClusterTest
            "bolt cluster plug", // LocalClusterTest
            "bolt cluster pull", // LocalClusterTest
            "bolt cluster start --hosts 2", // LocalClusterTest
            "bolt cluster status", // LocalClusterTest
            "bolt cluster status --json", // LocalClusterTest
            "bolt cluster stop", // LocalClusterTest
            "bolt conformance", // ConformanceTest, a part of it: the whole takes the better part of an hour
            "bolt conformance --set all --spark 3.5,4.0,4.1,4.2",
            "bolt conformance --suite BroadcastSuite --spark 3.5,4.2",
            "bolt conformance --suite BroadcastSuite --conf spark.boltshuffle.blocks=all",
            "bolt demo --size 20m", // DemoTest, by the README
            "bolt down", // TwoMachinesTest
            "bolt doctor --hosts mac1,mac2",
            "bolt doctor --hosts mac1,mac2 --save evidence",
            "bolt history", // TabVersionsTest, on a free port
            "bolt history my-event-logs", // TabVersionsTest
            "bolt init --hosts mac1,mac2 --dir my-cluster",
            "bolt join", // TwoMachinesTest
            "bolt join 7F3K-0M2C-XTZ9-41QB", // TwoMachinesTest
            "bolt join mac1.local 7F3K-0M2C-XTZ9-41QB",
            "bolt leave", // TwoMachinesTest
            "bolt savings my-event-logs", // SavingsVersionsTest
            "bolt savings my-event-logs --json", // SavingsVersionsTest, SavingsJobsTest
            "bolt savings my-event-logs --network 1g --html savings.html", // SavingsCommandTest
            "bolt soak --minutes 5", // SoakTest, for a shorter time
            "bolt soak --minutes 60 --report soak.html",
            "bolt soak --conf spark.boltshuffle.blocks=all", // SoakTest, for a shorter time
            "bolt test", // it is this very build
            "bolt topology --hosts mac1,mac2 --addresses",
            "bolt topology --hosts mac1,mac2 --hostfile hosts.json",
            "bolt topology --hosts mac1,mac2 --svg cluster.svg",
            "bolt up", // TwoMachinesTest
            "bolt up --code", // TwoMachinesTest
            "bolt up --status", // TwoMachinesTest
            "bolt verify --connect mac1.local:7339",
            "bolt verify --listen 7339");

    private final BuiltCheckout checkout;

    PastedCommandsTest(@TempDir Path directory) throws IOException {
        this.checkout = BuiltCheckout.in(directory);
    }

    private record Pasted(String example, String exitCodes, String prints) {}

    @Test
    void noExampleIsForgotten() {
        assertThat(Stream.of(
                                PASTED.stream().map(Pasted::example).filter(example -> !example.contains(evidence())),
                                MEASURED.stream().map(Pasted::example),
                                ELSEWHERE.stream())
                        .flatMap(Function.identity()))
                .containsExactlyInAnyOrderElementsOf(examples().stream()
                        .filter(example -> !example.startsWith("bolt lab ")) // LabTest
                        .toList());
    }

    @Tag("ci")
    @Test
    void theExamplesWork() throws Exception {
        pasteAll(PASTED);
    }

    @Tag("ladder")
    @Test
    void theExamplesThatMeasureWork() throws Exception {
        pasteAll(MEASURED);
    }

    private void pasteAll(List<Pasted> examples) throws Exception {
        for (Pasted pasted : examples) {
            try (RunningBolt running = checkout.paste(pasted.example())) {
                assertThat(Arrays.asList(pasted.exitCodes().split(",", -1)))
                        .as("%s%n%s", pasted.example(), running.err())
                        .contains(Integer.toString(running.exitCode()));
                assertThat(running.out()).as(pasted.example()).containsPattern(pasted.prints());
            }
        }
    }

    @Tag("ci")
    @Test
    void theBlocksOfTheOperationsPageWork() throws Exception {
        List<String> blocks = PageBlocks.runBy(PastedCommandsTest.class, "docs/operations.md");

        assertThat(blocks).isNotEmpty();
        for (String block : blocks) {
            try (RunningBolt running = checkout.paste("ln -sfn " + evidence() + " evidence\n" + block)) {
                assertThat(running.exitCode())
                        .as("%s%n%s", block, running.err())
                        .isZero();
            }
        }
    }

    /** The template for hardware reports asks for these values; CommandsTest has those of the doctor. */
    @Tag("ci")
    @Test
    void reportsOfTheLadderSayWhichBuildTheyAreOf() throws Exception {
        try (RunningBolt running = checkout.paste("bolt verify --virtual --seconds 1 --json")) {
            assertThat(running.exitCode()).as(running.err()).isZero();
            assertThat(running.out())
                    .containsPattern("\"version\" ?: ?\"\\d+\\.\\d+\\.\\d+")
                    .containsPattern("\"boltshuffle-spark_2.13-[^\"]+\\.jar\" ?: ?\"[0-9a-f]{64}\"")
                    .contains("\"architecture\"");
        }
    }

    @Test
    void aValueOfAnOptionIsNamedInCapitals() {
        assertThat(helps()).noneMatch(help -> help.contains("=<"));
    }

    /** Returns the examples as help shows them. */
    private static List<String> examples() {
        return helps().stream()
                .flatMap(help -> EXAMPLE.matcher(help).results())
                .map(match -> match.group(1).stripTrailing())
                .distinct()
                .toList();
    }

    /** Returns the help of every verb, as in a terminal of the usual width. */
    private static List<String> helps() {
        List<String> helps = new ArrayList<>();
        Deque<CommandLine> open = new ArrayDeque<>(List.of(Bolt.commandLine().setUsageHelpAutoWidth(false)));
        while (!open.isEmpty()) {
            CommandLine command = open.pop();
            helps.add(command.getUsageMessage(Ansi.OFF));
            open.addAll(command.getSubcommands().values());
        }
        return helps;
    }

    private static String evidence() {
        return "'" + EVIDENCE.toAbsolutePath().normalize() + "'";
    }
}
