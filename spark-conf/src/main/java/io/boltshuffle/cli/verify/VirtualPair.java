package io.boltshuffle.cli.verify;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.FullMesh;
import io.boltshuffle.client.AgentJvm;
import io.boltshuffle.os.FreePort;
import io.boltshuffle.rdma.link.LinkMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Two hosts on this machine, joined by one virtual cable. Each is a process of its own, because one loaded emulator is
 * one host for good, and because a pulled cable kills the process that posts.
 *
 * <p><b>Ownership:</b> both processes and the cable's state end with {@link #run} and {@link #measure}, or with Ctrl-C.
 */
public final class VirtualPair {
    private static final FullMesh MESH = new FullMesh(List.of("listener", "connector"), 1);

    public static final String LISTENER = MESH.name(0);
    public static final String CONNECTOR = MESH.name(1);

    private static final String LISTENER_OUTPUT = "listener.out";

    private final Path emulator;
    private final LinkMode mode;
    private final List<String> arguments;

    /** @param arguments of {@code bolt verify}, besides those that say what to verify */
    public VirtualPair(Path emulator, LinkMode mode, List<String> arguments) {
        this.emulator = emulator;
        this.mode = mode;
        this.arguments = arguments;
    }

    /** The reports of both hosts, each by its own measurements. */
    public record Reports(LadderDocument listener, LadderDocument connector) {}

    /** Runs both hosts. Returns the connecting host's exit code, and prints its output. */
    int run() throws IOException, InterruptedException {
        try (Teardown teardown = Teardown.hooked()) {
            return run(workDirectory(teardown), teardown, List.of(), ProcessBuilder.Redirect.INHERIT);
        }
    }

    /** Returns both reports. It prints nothing, and fails if the top is not reached. */
    public Reports measure() throws IOException, InterruptedException {
        try (Teardown teardown = Teardown.hooked()) {
            Path directory = workDirectory(teardown);
            Path output = directory.resolve("connector.out");
            run(directory, teardown, List.of("--json"), ProcessBuilder.Redirect.to(output.toFile()));
            return new Reports(report(directory.resolve(LISTENER_OUTPUT)), report(output));
        }
    }

    private static LadderDocument report(Path output) throws IOException {
        LadderDocument report = Json.read(Files.readString(output), LadderDocument.class);
        if (!report.works()) {
            throw BoltException.failed("the virtual hosts did not reach each other: " + report.rungs());
        }
        return report;
    }

    private static Path workDirectory(Teardown teardown) throws IOException {
        return teardown.open(() -> Files.createTempDirectory("bolt-verify"), FileTrees::delete);
    }

    private int run(Path directory, Teardown teardown, List<String> more, ProcessBuilder.Redirect output)
            throws IOException, InterruptedException {
        int port = FreePort.ofLoopback();
        Path topology = Files.write(directory.resolve("topology"), topology(mode));
        Process listener = started(
                teardown,
                host(LISTENER, topology, command("--listen", port, more))
                        .redirectOutput(directory.resolve(LISTENER_OUTPUT).toFile()));
        Process connector = started(
                teardown,
                host(CONNECTOR, topology, command("--connect", port, more)).redirectOutput(output));
        int code = connector.waitFor();
        listener.waitFor();
        return code;
    }

    /** Returns the topology of {@link #LISTENER} and {@link #CONNECTOR}. */
    public static List<String> topology(LinkMode mode) {
        List<String> lines = new ArrayList<>((mode == LinkMode.READ ? CableKind.READ : CableKind.SEND).topology());
        lines.addAll(MESH.statements(0));
        return lines;
    }

    private List<String> command(String role, int port, List<String> more) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(AgentJvm.OPTIONS);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                "io.boltshuffle.cli.Bolt",
                "verify",
                role,
                "127.0.0.1:" + port,
                "--library",
                emulator.toString(),
                "--mode",
                mode.name().toLowerCase(Locale.ROOT)));
        command.addAll(arguments);
        command.addAll(more);
        return command;
    }

    private static ProcessBuilder host(String name, Path topology, List<String> command) {
        ProcessBuilder builder = AgentJvm.process(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(Map.of("BOLT_VTB_TOPOLOGY", topology.toString(), "BOLT_VTB_HOST", name));
        return builder;
    }

    private static Process started(Teardown teardown, ProcessBuilder builder) throws IOException {
        return teardown.start(builder);
    }
}
