package io.boltshuffle.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.cli.Bolt;
import io.boltshuffle.cli.VerbGroups;
import io.boltshuffle.cli.base.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

class BoltTest {
    private static final Pattern DOTTED_NAME = Pattern.compile("[a-z]\\w*(\\.\\w+)+");

    private final StringWriter err = new StringWriter();
    private final CommandLine bolt = Bolt.commandLine().setErr(new PrintWriter(err, true));

    static List<String> verbs() {
        List<String> verbs = new ArrayList<>();
        Deque<CommandLine> open =
                new ArrayDeque<>(Bolt.commandLine().getSubcommands().values());
        while (!open.isEmpty()) {
            CommandLine command = open.pop();
            if (!command.getCommandName().equals("help")) {
                verbs.add(command.getCommandSpec().qualifiedName());
            }
            open.addAll(command.getSubcommands().values());
        }
        return verbs;
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void theHelpOfEveryVerbShowsAnExampleOfIt(String verb) {
        StringWriter out = new StringWriter();
        String[] words = (verb.substring("bolt ".length()) + " --help").split(" ", -1);

        // Where picocli complains, of a lone percent sign for example.
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        PrintStream standardError = System.err;
        System.setErr(new PrintStream(complaints, true, StandardCharsets.UTF_8));
        try {
            assertThat(bolt.setOut(new PrintWriter(out, true)).execute(words)).isEqualTo(ExitCode.OK);
        } finally {
            System.setErr(standardError);
        }
        assertThat(complaints.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(out.toString().replaceFirst("(?m)^Usage: .*", "")).containsPattern("(?m)  " + verb + "( |$)");
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void theHelpOfEveryVerbBreaksNoNameAtADot(String verb) {
        CommandLine command = bolt;
        for (String word : verb.substring("bolt ".length()).split(" ", -1)) {
            command = Objects.requireNonNull(command.getSubcommands().get(word));
        }
        CommandSpec spec = command.getCommandSpec();
        List<String> names = Stream.concat(
                        Stream.of(spec.usageMessage().description()),
                        spec.options().stream().flatMap(option -> Stream.of(option.description())))
                .flatMap(text -> DOTTED_NAME.matcher(text).results().map(MatchResult::group))
                .toList();
        for (int width = 80; width <= 120; width++) {
            String usage = command.setUsageHelpAutoWidth(false)
                    .setUsageHelpWidth(width)
                    .getUsageMessage();
            assertThat(names).allSatisfy(name -> assertThat(usage).contains(name));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "frobnicate, bolt: there is no 'bolt frobnicate'",
        "bench start --rounds 5, bolt: 'bolt bench start' left in 0.2.0: it showed",
        "bench scale --hosts 2, bolt: 'bolt bench scale' left in 0.2.0: it showed",
        "bench stage --size 1g, bolt: 'bolt bench stage' left in 0.2.0: what a stage waits",
        "bench model --figures f, bolt: 'bolt bench model' left in 0.2.0: nobody",
        "bench passthrough, bolt: 'bolt bench passthrough' left in 0.2.0: it showed",
        "queries --query q3, bolt: 'bolt queries' left in 0.2.0: 'bolt bench job --answers'",
        "verify --abi, bolt: 'bolt verify --abi' left in 0.2.0: it compared",
        "demmo, bolt: there is no 'bolt demmo'; did you mean demo?",
        "cluster stat, bolt: there is no 'bolt cluster stat'; did you mean start?",
        "demo --sise 20m, bolt: unknown option '--sise'; did you mean --size?",
        "demo --sise=20m, bolt: unknown option '--sise=20m'; did you mean --size?",
        "demo terasort, bolt: bolt demo takes no 'terasort'",
        "demo --job foo, '--job has to be one of terasort, feature-prep, sales-walk, not ''foo'''",
        "demo --cables usb, '--cables has to be one of auto, none, send, read, not ''usb'''",
        "bench job --job tpcc, '--job has to be one of terasort, tpch, tpcds, wide, join, group-by, narrow, etl, not'",
        "bench job --part 9, --part is '9'; it has to be like 2/8",
        "verify, '--listen, --connect, --virtual'",
        "verify --virtual --library /nope, --library is for verbs of a device",
        "history /nope, /nope is no directory of event logs",
        "savings, Missing required parameter: 'EVENTLOG'",
        "savings /nope, /nope does not exist",
        "savings pom.xml, pom.xml is no event log of Spark's",
        "savings pom.xml --network usb, 'usb' is none of 1g",
        "bench job --event-logs nowhere, --event-logs nowhere is no directory",
        "doctor --from /nope, --from /nope is no directory",
        "doctor --from /nope --topology /nope, --from /nope is no directory",
        "topology --read /nope, --read /nope does not exist",
        "topology --read pom.xml, pom.xml:1:1: Unexpected character ('<' (code 60)); expected valid JSON",
        "cluster start --port 70000, --port is 70000; it has to be 0 to 65535",
        "cluster start --hosts 1, --hosts is 1; it has to be 2 to 16",
        "demo --size much, is not a size such as 20m or 1g",
        "demo --spark 3.4, is not supported; supported are 3.5",
        "demo --hosts 1, --hosts is 1; it has to be 2 to 16",
        "demo --cores -1, --cores is -1; it has to be 0 to 256",
        "demo --executor-memory 100m, --executor-memory is 100.0 MiB; it has to be 512.0 MiB or more",
        "bench job --rounds 0, --rounds is 0; it has to be 1 or more",
        "bench job --partitions -1, --partitions is -1; it has to be 0 or more",
        "bench write --rounds 0, --rounds is 0; it has to be 1 or more",
        "bench write --rows 0, --rows is 0; it has to be 1 to 1000",
        "bench write --memory 100m, --memory is 100.0 MiB; it has to be 512.0 MiB or more",
        "bench write --execution-memory 2m, --execution-memory is 2.0 MiB; it has to be 4.0 MiB to",
        "bench write --codec lzf, --codec is lzf; it has to be of lz4",
        "bench link --rounds 0, --rounds is 0; it has to be 1 or more",
        "verify --virtual --message 6k, --message is 6.0 KiB; it has to be a multiple of 4 KiB",
        "bench blocks --rounds 0, --rounds is 0; it has to be 1 or more",
        "bench blocks --broadcast 512m, --broadcast is 536870912 bytes; it has to be 1k to 256m",
        "bench blocks --cables none, --cables has to be send or read",
        "bench fetch --rounds 0, --rounds is 0; it has to be 1 or more",
        "bench fetch --fetchers 4;0, Invalid value for option '--fetchers'",
        "bench fetch --block-size 1g, it has to be 1k to 64m",
        "bench fetch --cables none, --cables has to be send",
        "bench fetch --trace --fetchers 4, --trace follows one block at a time",
        "bench fetch --baseline udp, '--baseline has to be one of default, nio, epoll, connections-4, tmpfs, not ''ud'",
        "bench fetch --path wifi, '--path has to be one of loopback, veth-1500, veth-9000, veth-1500-no-offloads'",
        "bench job --conf spark.executor.memory=1g, a setting of the plugin begins with spark.boltshuffle.",
        "soak --conf spark.boltshuffle.agent.slob=1m, the nearest one is spark.boltshuffle.agent.slab",
        "soak --conf spark.boltshuffle.agent.slab=-1, --conf: ",
        "bench job --hosts 1, --hosts is 1; it has to be 2 to 16",
        "bench job --cables none, --cables has to be send or read",
        "bench job --scale 0, --scale is 0.0; it has to be above 0 and at most 100",
        "bench job --data pom.xml, --data pom.xml is no directory",
        "spark-submit, spark-submit needs an application",
        "up --port 70000, --port is 70000; it has to be 1 to 65535",
        "up --status --code, leave out --code",
        "up --json, --json belongs to --status",
        "join mac1.local, the code is missing",
        "join mac1.local 7F3K, that is no code",
        "join mac1:99999 7F3K-0M2C-XTZ9-41QB, the port of 'mac1:99999' has to be 1 to 65535",
        "join mac1:a 7F3K-0M2C-XTZ9-41QB, 'mac1:a' is no HOST or HOST:PORT",
        "lab frobnicate, 'lab has no frobnicate; it has prepare, run, contract, differential, faults, spark'",
        "lab run, lab run needs a command: bolt lab run -- COMMAND",
        "lab contract ls, lab contract takes no command",
        "agent, --host is missing",
        "agent --host a --conf spark.boltshuffle.agent.slap=1g, the nearest one is spark.boltshuffle.agent.slab",
        "agent --host a --conf spark.boltshuffle.agent.port=0, --conf spark.boltshuffle.agent.port",
        "agent install --host a --conf spark.executor.cores=1, is not an option of the agent",
    })
    void aWrongCommandLineIsNamedAndExitsWithTwo(String line, String message) {
        assertThat(bolt.execute(line.split(" ", -1))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains(message).startsWith("bolt: ").doesNotContain("\tat ", "Exception");
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void anUnknownOptionOfAnyVerbIsNamedInOneLineAndExitsWithTwo(String verb) {
        assumeTrue(!verb.equals("bolt spark-submit"), "its options are Spark's");

        assertThat(bolt.execute((verb.substring("bolt ".length()) + " --frobnicate").split(" ", -1)))
                .isEqualTo(ExitCode.USAGE);
        // picocli looks for what is missing first.
        assertThat(err.toString())
                .matches("bolt: (unknown option '--frobnicate'|Missing required (option|parameter): '\\S+')\\Rtry: "
                        + verb + " --help\\R");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "cluster", "bench"})
    void withoutAVerbTheOverviewIsShown(String line) {
        assertThat(bolt.execute(line.isEmpty() ? new String[0] : new String[] {line}))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .contains("Usage: " + ("bolt " + line).strip())
                .contains("  -h, --help");
    }

    @Test
    void theOverviewHasEveryVerbOnceAndThoseThatProveApart() {
        assertThat(VerbGroups.ALL.stream().flatMap(group -> group.verbs().stream()))
                .containsExactlyInAnyOrderElementsOf(bolt.getSubcommands().keySet());
        assertThat(bolt.getUsageMessage())
                .containsSubsequence(
                        "See it work:", "  demo ", "Use it:", "  spark-submit ", "Prove it", "  conformance ");
    }

    @Test
    void anUnexpectedFailureIsOneLineAndExitsWithOne() {
        CommandLine failing = new CommandLine(new Failing())
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler(bolt.getExecutionExceptionHandler());

        assertThat(failing.execute()).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString())
                .startsWith("bolt: unexpected: java.io.IOException: Mount point not found; ")
                .hasLineCount(1);
    }

    @Command
    private static final class Failing implements Callable<Integer> {
        @Override
        public Integer call() {
            throw new UncheckedIOException(new IOException("Mount point not found"));
        }
    }

    @Test
    void anOptionBehindTheApplicationBelongsToSpark() {
        CommandLine.ParseResult parsed = bolt.parseArgs("spark-submit", "--class", "Main", "app.jar", "--help");

        assertThat(parsed.subcommand().isUsageHelpRequested()).isFalse();
        assertThat(parsed.subcommand().unmatched()).containsExactly("--class", "Main", "app.jar", "--help");
    }
}
