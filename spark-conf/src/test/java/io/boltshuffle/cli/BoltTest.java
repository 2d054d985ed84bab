package io.boltshuffle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.base.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class BoltTest {
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
    @CsvSource({
        "'', bolt: Missing required subcommand",
        "frobnicate, bolt: Unmatched argument at index 0: 'frobnicate'",
        "demo --size much, is not a size such as 20m or 1g",
        "demo --spark 3.4, is not supported; supported are 3.5",
        "demo --hosts 0, --hosts is 0; it has to be 1 to 16",
        "demo --cores -1, --cores is -1; it has to be 0 to 256",
        "demo --executor-memory 100m, --executor-memory in MiB is 100; it has to be 512 to",
        "bench passthrough --rounds 0, --rounds is 0; it has to be 1 or more",
        "bench write --rounds 0, --rounds is 0; it has to be 1 or more",
        "bench write --rows 0, --rows is 0; it has to be 1 to 1000",
        "bench write --codec lzf, --codec is lzf; it has to be of lz4",
        "bench link --rounds 0, --rounds and --seconds have to be 1 or more",
        "verify --virtual --message 6k, --message is 6.0 KiB; it has to be a multiple of 4 KiB",
        "bench fetch --rounds 0, --rounds is 0; it has to be 1 or more",
        "bench fetch --fetchers 4;0, Invalid value for option '--fetchers'",
        "bench fetch --block-size 1g, it has to be 1k to 64m",
        "bench fetch --cables none, --cables has to be send",
        "bench stage --rounds 0, --rounds and --reads have to be 1 or more",
        "bench stage --cut 8, '8' is no number of map and reduce tasks such as 200x200",
        "bench stage --hosts 1, --hosts is 1; a shuffle between hosts needs 2 or more",
        "bench stage --cables none, --cables has to be send or read",
        "bench job --scale 0, --scale is 0.0; it has to be above 0 and at most 100",
        "bench job --data nowhere, --data nowhere is no directory",
        "bench scale --hosts 1, --hosts is [1]; each has to be 2 to 8",
        "bench scale --cables-per-pair 4, --cables-per-pair is [4]; each has to be 1 to 3",
        "bench model, Missing required option: '--figures=FILE'",
        "bench model --figures f --cores 0, --cores is 0; it has to be 1 to 256",
        "spark-submit, spark-submit needs an application",
        "lab frobnicate, 'lab has no frobnicate; it has prepare, run, contract, differential, faults, spark'",
        "lab run, lab run needs a command: bolt lab run -- COMMAND",
        "lab contract ls, lab contract takes no command",
        "agent, --host is missing",
        "agent --host a --conf spark.boltshuffle.agent.slap=1g, the nearest one is spark.boltshuffle.agent.slab",
        "agent --host a --conf spark.boltshuffle.agent.port=0, --conf spark.boltshuffle.agent.port",
        "agent install --host a --conf spark.executor.cores=1, is not an option of the agent",
    })
    void aWrongCommandLineIsNamedAndExitsWithTwo(String line, String message) {
        String[] words = line.isEmpty() ? new String[0] : line.split(" ", -1);

        assertThat(bolt.execute(words)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains(message).startsWith("bolt: ");
    }

    @Test
    void anOptionBehindTheApplicationBelongsToSpark() {
        CommandLine.ParseResult parsed = bolt.parseArgs("spark-submit", "--class", "Main", "app.jar", "--help");

        assertThat(parsed.subcommand().isUsageHelpRequested()).isFalse();
        assertThat(parsed.subcommand().unmatched()).containsExactly("--class", "Main", "app.jar", "--help");
    }
}
