package io.boltshuffle.rdma.verbs;

import com.sun.jna.Library;
import com.sun.jna.Native;
import io.boltshuffle.rdma.VerbsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A virtual Thunderbolt for one test: a topology in the test's own directory, and the emulator loaded as one of its
 * hosts, in this JVM or in another.
 */
public final class VirtualFabric {

    private static final String TOPOLOGY = "BOLT_VTB_TOPOLOGY";
    private static final String HOST = "BOLT_VTB_HOST";
    private static final Path EMULATOR =
            Path.of("..", "rdma-native", "target", "emulator", System.mapLibraryName("vtb"));

    private interface CLibrary extends Library {
        int setenv(String name, String value, int overwrite);
    }

    private final Path directory;
    private final Path topology;

    private VirtualFabric(Path directory, Path topology) {
        this.directory = directory;
        this.topology = topology;
    }

    /** @param lines of the topology file, see {@code docs/virtual-thunderbolt.md} */
    public static VirtualFabric of(Path directory, String... lines) throws IOException {
        return at(directory.resolve("topology"), lines);
    }

    /** @param topology a file to write, which others may read, too */
    public static VirtualFabric at(Path topology, String... lines) throws IOException {
        return new VirtualFabric(topology.resolveSibling(""), Files.write(topology, List.of(lines)));
    }

    /**
     * The verbs of one host in this JVM. Loads a copy of the emulator of its own, because one loaded library is one
     * host for good.
     */
    public JnaVerbsProvider provider(String host) throws IOException {
        Path copy = directory.resolve("emulator-of-" + host + ".so");
        Files.copy(EMULATOR, copy);
        JnaVerbsProvider provider = JnaVerbsProvider.ofFile(copy);
        synchronized (VirtualFabric.class) {
            environment(host)
                    .forEach((name, value) -> Native.load("c", CLibrary.class).setenv(name, value, 1));
            readEnvironment(provider);
        }
        return provider;
    }

    private static void readEnvironment(JnaVerbsProvider provider) throws VerbsException {
        if (provider.deviceNames().isEmpty()) {
            throw new IllegalStateException("the host has no port: " + provider.availability());
        }
    }

    private Map<String, String> environment(String host) {
        return Map.of(TOPOLOGY, topology.toString(), HOST, host);
    }

    /** A JVM on one host, with the tests' class path; its standard error goes to this one's. It may crash. */
    public Process start(String host, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-Xmx256m",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + directory.resolve("crash-of-%p.log"),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment(host));
        return builder.start();
    }

    /** Has {@code vtbctl} make something go wrong, or right again. */
    public void control(String... command) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of(EMULATOR.resolveSibling("vtbctl").toString(), topology.toString()));
        words.addAll(List.of(command));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", words) + " failed: " + output);
        }
    }

    /**
     * Starts a program in C that uses a cable as MLX's JACCL does. It says "ready" in a line, and ends when its input
     * does.
     *
     * @param end such as {@code a:rdma_en5}
     */
    public Process startNeighbour(String end, String otherEnd) throws IOException {
        return new ProcessBuilder(
                        EMULATOR.resolveSibling("vtbneighbour").toString(), topology.toString(), end, otherEnd)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** The emulator itself, for JVMs made by {@link #start}. */
    public static JnaVerbsProvider providerOfStartedJvm() {
        return JnaVerbsProvider.ofFile(EMULATOR);
    }
}
