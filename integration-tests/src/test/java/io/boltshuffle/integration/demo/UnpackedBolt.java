package io.boltshuffle.integration.demo;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.cluster.HostCables;
import io.boltshuffle.cli.runtime.SparkLine;
import io.boltshuffle.os.OperatingSystem;
import io.boltshuffle.rdma.memory.RoomForSlabs;
import io.boltshuffle.rdma.memory.Slab;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The archive of the command, unpacked. */
final class UnpackedBolt {
    private static final Path MODULE = Path.of("..", "spark-conf");
    /** Test JVMs are short-lived: what they would win by the second compiler they have not the time to use. */
    private static final String QUICK_JVMS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    /** Runtimes and event logs are kept here from test to test. */
    static final Path CACHE = Path.of("target/bolt-cache").toAbsolutePath();

    private final Path root;

    private UnpackedBolt(Path root) {
        this.root = root;
    }

    static UnpackedBolt in(Path root) throws IOException {
        Path archive = archive();
        Files.createDirectories(root);
        Process tar = new ProcessBuilder(
                        "tar", "-xzf", archive.toString(), "--strip-components=1", "-C", root.toString())
                .inheritIO()
                .start();
        try {
            if (tar.waitFor() != 0) {
                throw new IOException("tar could not unpack " + archive);
            }
        } catch (InterruptedException e) {
            throw new InterruptedIOException(e.toString());
        }
        return new UnpackedBolt(root);
    }

    /** Skips a test where the smallest slabs of so many hosts do not fit into shared memory: the command refuses it. */
    static void requireRoomForHosts(int count) {
        RoomForSlabs.require(count * (HostCables.LEAST_SLAB_BYTES + Slab.PAGE_BYTES));
    }

    /** Puts the library that this checkout built where a released archive has one for this platform. */
    void installVirtualThunderbolt() throws IOException {
        Path built = Path.of("..", "rdma-native", "target", "emulator");
        Path directory =
                Files.createDirectories(root.resolve("virtual-thunderbolt").resolve(platform()));
        for (String file : List.of(System.mapLibraryName("vtb"), "vtbctl")) {
            Files.copy(built.resolve(file), directory.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    /** The name of this platform's directory in a released archive. */
    private static String platform() {
        boolean arm = System.getProperty("os.arch").equals("aarch64");
        return OperatingSystem.current().name().toLowerCase(Locale.ROOT) + (arm ? "-arm64" : "-x86-64");
    }

    private static Path archive() throws IOException {
        if (Files.isDirectory(MODULE.resolve("target"))) {
            try (Stream<Path> files = Files.list(MODULE.resolve("target"))) {
                Optional<Path> archive = files.filter(file -> file.toString().endsWith("-bolt.tar.gz"))
                        .findFirst();
                if (archive.isPresent()) {
                    return archive.get();
                }
            }
        }
        throw new IllegalStateException(
                "these tests run the packaged command: use 'mvn verify', or 'mvn package' before them");
    }

    Path launcher() {
        return root.resolve("bin/bolt");
    }

    Path lib() {
        return root.resolve("lib");
    }

    /** Returns the one jar with this prefix. */
    Path jar(String prefix) throws IOException {
        try (Stream<Path> jars = Files.list(lib())) {
            return jars.filter(jar -> jar.getFileName().toString().startsWith(prefix))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Returns the jars, or directories, that have these classes, as a class path. */
    static String classPathOf(Class<?>... types) {
        return Stream.of(types)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .map(location -> Path.of(URI.create(location.toString())).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * Returns Spark's home as {@code bolt} gathers it, without anything of this build.
     *
     * @param logs an empty directory
     */
    Path gatheredSpark(Path logs) throws Exception {
        try (RunningBolt gathering = gathering("4.2", logs)) {
            if (gathering.exitCode() != 0) {
                throw new IllegalStateException(gathering.err());
            }
        }
        try (Stream<Path> found = Files.find(
                CACHE,
                4,
                (path, facts) -> path.endsWith("jars") && path.toString().contains("4.2"))) {
            return found.findFirst().orElseThrow().resolveSibling("");
        }
    }

    /** Skips a test of a line that {@code bolt} fetches by pip, where pip or its index cannot be had. */
    void requireSpark(String line, Path logs) throws Exception {
        if (SparkLine.of(line).orElseThrow() == SparkLine.V4_3) {
            try (RunningBolt gathering = gathering(line, logs)) {
                assumeTrue(gathering.exitCode() != ExitCode.ENVIRONMENT, gathering.err());
            }
        }
    }

    private RunningBolt gathering(String line, Path logs) throws IOException {
        return RunningBolt.start(command(launcher(), "spark-submit", "--spark", line, "--version"), logs, logs);
    }

    /** A command ready to start, in an environment without Spark settings; runtimes are kept from test to test. */
    static ProcessBuilder command(Path launcher, String... arguments) {
        List<String> words = new ArrayList<>(List.of(launcher.toString()));
        words.addAll(List.of(arguments));
        ProcessBuilder command = new ProcessBuilder(words);
        command.environment()
                .keySet()
                .removeIf(
                        name -> name.startsWith("SPARK_") || name.equals("VIRTUAL_ENV") || name.equals("CONDA_PREFIX"));
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        command.environment().put("JAVA_TOOL_OPTIONS", QUICK_JVMS);
        command.environment().put("BOLT_CACHE", CACHE.toString());
        return command;
    }

    /** Returns the processes that live of a cluster, by its status. */
    static List<ProcessHandle> processes(JsonNode status) {
        List<ProcessHandle> processes = new ArrayList<>();
        status.path("processes")
                .forEach(process ->
                        ProcessHandle.of(process.path("pid").asLong()).ifPresent(processes::add));
        return processes;
    }
}
