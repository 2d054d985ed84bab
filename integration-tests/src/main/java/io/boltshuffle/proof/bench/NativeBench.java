package io.boltshuffle.proof.bench;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.verify.VirtualPair;
import io.boltshuffle.rdma.link.LinkMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Runs the emulator's own benchmark, {@code vtbbench}, which shows what a program in C gets out of a virtual cable. */
final class NativeBench {
    /** The approximate speed of a virtual cable. The duration of the stream need not be exact. */
    private static final long BYTES_PER_SECOND = 3_000_000_000L;

    /**
     * The places on each side, so many that C moves over as much memory as Java does (12 MiB offered, two transfers of
     * that): a cache then helps both alike.
     */
    private static final int PLACES = 18;

    private final Path program;

    /** @param emulator the library, beside which the program was built */
    NativeBench(Path emulator) {
        this.program = emulator.resolveSibling("vtbbench");
    }

    /** The part of its output that is read. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Figures(double gbPerSecond, RoundTrip roundTrip) {
        Figures {
            Objects.requireNonNull(roundTrip, "no round trip");
        }
    }

    /** Times in microseconds. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record RoundTrip(double p50Us) {}

    Figures run(LinkMode mode, int messageBytes, int seconds) throws IOException, InterruptedException {
        if (!Files.isExecutable(program)) {
            throw BoltException.environment("there is no " + program, "build the checkout with 'mvn package'");
        }
        try (Teardown teardown = Teardown.hooked()) {
            Path directory = teardown.open(() -> Files.createTempDirectory("bolt-bench"), FileTrees::delete);
            Path topology = Files.write(directory.resolve("topology"), VirtualPair.topology(mode));
            Path output = directory.resolve("vtbbench.out");
            ProcessBuilder command = new ProcessBuilder(command(topology, mode, messageBytes, seconds))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .redirectOutput(output.toFile());
            Process process = teardown.start(command);
            if (process.waitFor() != 0) {
                throw BoltException.failed(program + " failed; its message is above");
            }
            return Json.read(Files.readString(output), Figures.class);
        }
    }

    private List<String> command(Path topology, LinkMode mode, int messageBytes, int seconds) {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                topology.toString(),
                VirtualPair.LISTENER,
                VirtualPair.CONNECTOR,
                "--message",
                Integer.toString(messageBytes),
                "--places",
                Integer.toString(PLACES),
                "--bytes",
                Long.toString(seconds * BYTES_PER_SECOND)));
        if (mode == LinkMode.READ) {
            command.add("--read");
        }
        return command;
    }
}
