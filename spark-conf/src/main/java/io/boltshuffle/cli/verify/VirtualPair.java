package io.boltshuffle.cli.verify;

import io.boltshuffle.cli.FileTrees;
import io.boltshuffle.cli.ProcessTree;
import io.boltshuffle.cli.Teardown;
import io.boltshuffle.rdma.link.LinkMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Two hosts on this machine, joined by one virtual cable. Each is a process of its own, because one loaded emulator is one
 * host for good, and because a pulled cable kills the process that posts.
 *
 * <p><b>Ownership:</b> both processes and the cable's state end with {@link #run}, or with Ctrl-C.
 */
final class VirtualPair {
    private static final String LISTENER = "left";
    private static final String CONNECTOR = "right";

    private final Path emulator;
    private final LinkMode mode;
    private final int seconds;
    private final boolean json;

    VirtualPair(Path emulator, LinkMode mode, int seconds, boolean json) {
        this.emulator = emulator;
        this.mode = mode;
        this.seconds = seconds;
        this.json = json;
    }

    /** The connecting host's exit code; its output is this one's. */
    int run() throws IOException, InterruptedException {
        int port = freePort();
        Path directory = Files.createTempDirectory("bolt-verify");
        try (Teardown teardown = Teardown.hooked()) {
            teardown.push(() -> FileTrees.delete(directory));
            Path topology = Files.write(directory.resolve("topology"), topology());
            Process listener = started(
                    teardown,
                    host(LISTENER, topology, command("--listen", port))
                            .redirectOutput(directory.resolve("listener.out").toFile()));
            Process connector = started(
                    teardown,
                    host(CONNECTOR, topology, command("--connect", port)).inheritIO());
            int code = connector.waitFor();
            listener.waitFor();
            return code;
        }
    }

    private List<String> topology() {
        List<String> lines = new ArrayList<>();
        if (mode == LinkMode.READ) {
            lines.addAll(List.of("profile linux", "mode rc"));
        }
        lines.addAll(List.of(
                "host " + LISTENER, "host " + CONNECTOR, "cable between " + LISTENER + ":en5 " + CONNECTOR + ":en5"));
        return lines;
    }

    private List<String> command(String role, int port) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.boltshuffle.cli.Bolt",
                "verify",
                role,
                "127.0.0.1:" + port,
                "--library",
                emulator.toString(),
                "--mode",
                mode.name().toLowerCase(Locale.ROOT),
                "--seconds",
                Integer.toString(seconds)));
        if (json) {
            command.add("--json");
        }
        return command;
    }

    private static ProcessBuilder host(String name, Path topology, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(Map.of("BOLT_VTB_TOPOLOGY", topology.toString(), "BOLT_VTB_HOST", name));
        return builder;
    }

    private static Process started(Teardown teardown, ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        teardown.push(() -> ProcessTree.end(process));
        return process;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
