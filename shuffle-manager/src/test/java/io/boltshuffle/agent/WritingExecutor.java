package io.boltshuffle.agent;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.ClientStart;
import io.boltshuffle.client.OutputLoan;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.testing.ShuffleFiles;
import io.boltshuffle.wire.Registration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * An executor that writes a map output to its file and to memory that it was lent, says so, and waits for its end
 * before it would publish.
 */
final class WritingExecutor {

    /** What it says when the output is committed. */
    static final String COMMITTED = "committed";

    static final int BYTES = 100_000;

    private static final long LONG_SECONDS = 120;

    private WritingExecutor() {}

    /** @param args host, executor, directory of the meeting places, directory of files, and options as key=value */
    public static void main(String[] args) throws Exception {
        Map<String, String> options = Arrays.stream(args)
                .skip(4)
                .map(option -> option.split("=", 2))
                .collect(Collectors.toMap(option -> option[0], option -> option[1]));
        ShuffleFiles files = new ShuffleFiles(Path.of(args[3]));
        Registration registration = new Registration(
                TwoAgents.APPLICATION,
                args[1],
                List.of(files.localDir().toString()),
                ShuffleFiles.SUB_DIRS,
                "org.apache.spark.shuffle.sort.SortShuffleManager",
                TwoAgents.SECRET);
        AgentClient client = TwoAgents.awaitConnected(AgentClient.open(
                new ClientStart(args[0], Path.of(args[2]), Settings.parse(options), registration, Map.of())));
        files.write(0, 1, BYTES);
        OutputLoan loan = client.lendOutput(0, BYTES, TimeUnit.SECONDS.toNanos(LONG_SECONDS));
        ((OutputLoan.Granted) loan).memory().bytes().put(Files.readAllBytes(files.dataFile(0, 1)));
        System.out.println(COMMITTED);
        TimeUnit.SECONDS.sleep(LONG_SECONDS);
    }
}
