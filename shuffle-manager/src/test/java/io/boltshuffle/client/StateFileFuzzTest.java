package io.boltshuffle.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damages the files that agents and the programs that start them leave for each other. An agent can still be started.
 */
class StateFileFuzzTest extends FuzzContract {
    private static final long NOW = 1_700_000_000_000L;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @Override
    protected int thinning() {
        return 20;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        byte[] starts = (NOW + "\n" + (NOW + 5) + "\n").getBytes(UTF_8);
        byte[] log = "INFO starting\nERROR no room for the slab\n".getBytes(UTF_8);
        return Stream.of(
                new FuzzTarget("start-history", StateFileFuzzTest::readStarts, List.of(starts), Set.of()),
                new FuzzTarget("agent-log", StateFileFuzzTest::readLog, List.of(log), Set.of()));
    }

    private static void readStarts(byte[] input) throws IOException {
        StartHistory history = new StartHistory(Files.write(directory.resolve("starts"), input));
        history.isCrashLoop(NOW);
        history.add(NOW);
    }

    private static void readLog(byte[] input) throws IOException {
        LogTail.lastLine(Files.write(directory.resolve("log"), input));
    }
}
