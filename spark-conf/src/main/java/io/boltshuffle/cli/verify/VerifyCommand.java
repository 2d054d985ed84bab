package io.boltshuffle.cli.verify;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.option.ByteSize;
import io.boltshuffle.cli.option.EmulatorOption;
import io.boltshuffle.cli.option.SlabOption;
import io.boltshuffle.cli.verify.ladder.Ladder;
import io.boltshuffle.cli.verify.ladder.LadderOptions;
import io.boltshuffle.cli.verify.ladder.LadderReport;
import io.boltshuffle.cli.verify.ladder.SideChannel;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.os.OperatingSystem;
import io.boltshuffle.os.SystemCommand;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.verbs.JnaVerbsProvider;
import io.boltshuffle.topology.mac.ThunderboltDevices;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bolt verify} tests whether RDMA works between these two hosts, and if not, at which step it stops. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        header = "Shows, rung by rung, whether RDMA works between two hosts.",
        description = {
            "",
            "Climbs from the library to a checked stream, stops at the first rung that does not hold, and says what "
                    + "that means and what to do. It never tries a rung twice: failed attempts use up resources of the "
                    + "device.",
            "",
            "On one machine, over a virtual cable (no hardware needed):",
            "  bolt verify --virtual",
            "Between two hosts: first on one, then on the other:",
            "  bolt verify --listen 7339",
            "  bolt verify --connect mac1.local:7339",
            ""
        })
public final class VerifyCommand implements Callable<Integer> {

    /** Longest wait for a command of macOS. */
    private static final Duration LOOK = Duration.ofSeconds(8);

    private static final int MAX_DEADLINE_SCALE = 60;
    private static final int LARGEST_MESSAGE_BYTES = 1 << 20;

    @ArgGroup(multiplicity = "1")
    private What what = new What();

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description = "RDMA device, such as rdma_en5 (default: the only one with an active port).")
    private @Nullable String device;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "send (two-sided, all that Thunderbolt has) or read (RDMA READ); default: what the port has.")
    private @Nullable LinkMode mode;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description = "Address of the device's interface here, to choose among GIDs.")
    private @Nullable InetAddress address;

    @Option(
            names = "--library",
            paramLabel = "FILE",
            description = "Verbs library in place of this system's; for tests.")
    private @Nullable Path library;

    @Option(
            names = "--message",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "Stream in messages of this size only, such as 1m (default: the best of several).")
    private @Nullable ByteSize message;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            defaultValue = "3",
            description = "How long the checked stream runs each way (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Seconds to wait for the other host to come (default: ${DEFAULT-VALUE}).")
    private int waitSeconds;

    @Option(
            names = "--deadline-scale",
            paramLabel = "TIMES",
            defaultValue = "1",
            description = "Wait so many times as long as usual for the device and the other host, up to 60: for slow"
                    + " machines, such as emulated ones (default: ${DEFAULT-VALUE}).")
    private int deadlineScale;

    @Option(names = "--json", description = "Print one JSON document at the end, in place of text.")
    private boolean json;

    @Mixin
    private final SlabOption slab = new SlabOption();

    @Mixin
    private final EmulatorOption emulator = new EmulatorOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** The choice of what to verify; exactly one has to be made. */
    static final class What {
        @Option(
                names = "--listen",
                paramLabel = "[HOST:]PORT",
                description = "Wait for the other host here.",
                converter = PeerAddress.Converter.class)
        private @Nullable PeerAddress listen;

        @Option(
                names = "--connect",
                paramLabel = "HOST:PORT",
                description = "Meet the host that listens there.",
                converter = PeerAddress.Converter.class)
        private @Nullable PeerAddress connect;

        @Option(names = "--virtual", description = "Two hosts on this machine, joined by a virtual Thunderbolt cable.")
        private boolean virtual;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        requireWithin("--seconds", seconds, 1, 600);
        requireWithin("--wait", waitSeconds, 1, 3600);
        requireWithin("--deadline-scale", deadlineScale, 1, MAX_DEADLINE_SCALE);
        requireMessageSize();
        PrintWriter out = spec.commandLine().getOut();
        if (what.virtual) {
            if (library != null) {
                throw BoltException.usage(
                        "--library is for verbs of a device; with --virtual, the library is that of --emulator");
            }
            Path vtb = emulator.require();
            List<String> arguments = arguments();
            long each = slab.bytesOfEach(
                    2, LadderOptions.USUAL_SLAB_BYTES, LadderOptions.LEAST_SLAB_BYTES, Console.standardError());
            arguments.addAll(List.of("--slab", (each >> 10) + "k"));
            return new VirtualPair(vtb, mode == null ? LinkMode.SEND : mode, arguments).run();
        }
        return climb(out);
    }

    /** Returns the arguments that both virtual hosts need. */
    private List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of("--seconds", Integer.toString(seconds)));
        arguments.addAll(List.of("--deadline-scale", Integer.toString(deadlineScale)));
        if (message != null) {
            arguments.addAll(List.of("--message", (message.bytes() >> 10) + "k"));
        }
        if (json) {
            arguments.add("--json");
        }
        return arguments;
    }

    private int climb(PrintWriter out) throws IOException {
        LadderPrinter printer = new LadderPrinter(out, json, library != null && EmulatorOption.isEmulator(library));
        LadderReport report;
        try (SideChannel peer = meet(Duration.ofSeconds(waitSeconds))) {
            report = Ladder.climb(provider(), peer, options(), printer::rung);
        }
        printer.end(report);
        return report.reachedTheTop() ? ExitCode.OK : ExitCode.FAILED;
    }

    private SideChannel meet(Duration patience) throws IOException {
        if (what.listen != null) {
            return what.listen.await(patience);
        }
        if (what.connect != null) {
            return what.connect.reach(patience);
        }
        throw new IllegalStateException("picocli demands one of the group");
    }

    private JnaVerbsProvider provider() {
        if (library == null) {
            return JnaVerbsProvider.ofThisHost();
        }
        if (!Files.isRegularFile(library)) {
            throw BoltException.usage("--library " + library + " is no file");
        }
        return JnaVerbsProvider.ofFile(library);
    }

    private LadderOptions options() {
        LadderOptions usual = LadderOptions.of(device);
        return new LadderOptions(
                usual.device(),
                usual.port(),
                mode,
                address == null ? usual.interfaceAddresses() : Set.of(address),
                message == null ? usual.messageSizes() : List.of((int) message.bytes()),
                usual.pingPongRounds(),
                Duration.ofSeconds(seconds),
                usual.patience(),
                slab.bytes(usual.slabBytes(), LadderOptions.LEAST_SLAB_BYTES),
                deadlineScale,
                thunderbolt());
    }

    private ThunderboltDevices thunderbolt() {
        return library == null && OperatingSystem.current() == OperatingSystem.MACOS
                ? ThunderboltDevices.parse(
                        SystemCommand.output(LOOK, ThunderboltDevices.PORTS),
                        SystemCommand.output(LOOK, ThunderboltDevices.INTERFACES))
                : ThunderboltDevices.NONE;
    }

    private void requireMessageSize() {
        if (message == null) {
            return;
        }
        long bytes = message.bytes();
        if (bytes < Lease.FRAME_BYTES || bytes > LARGEST_MESSAGE_BYTES || bytes % Lease.FRAME_BYTES != 0) {
            throw BoltException.usage(
                    "--message is " + ByteFigures.bytes(bytes) + "; it has to be a multiple of 4 KiB, up to 1 MiB");
        }
    }

    private static void requireWithin(String option, int value, int min, int max) {
        if (value < min || value > max) {
            throw BoltException.usage(option + " is " + value + "; it has to be " + min + " to " + max);
        }
    }
}
