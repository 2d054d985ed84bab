package io.boltshuffle.integration.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory in which commands find what they find in a checkout after {@code mvn package}; they may write there as
 * they like.
 */
final class BuiltCheckout {
    private static final Path REAL = Path.of("..").toAbsolutePath().normalize();

    /** The library of the virtual Thunderbolt that this build made. */
    static final String EMULATOR = REAL.resolve("rdma-native/target/emulator")
            .resolve(System.mapLibraryName("vtb"))
            .toString();

    private final Path root;
    private final Path logs;

    private BuiltCheckout(Path root, Path logs) {
        this.root = root;
        this.logs = logs;
    }

    static BuiltCheckout in(Path directory) throws IOException {
        Path root = directory.resolve("checkout");
        Path home = root.resolve("spark-conf");
        for (String sources : List.of(
                "rdma-native/src", "shuffle-manager/src/main", "spark-conf/src/main", "integration-tests/src/main")) {
            Files.createDirectories(root.resolve(sources));
        }
        for (String copied : List.of(
                "pom.xml",
                "spark-conf/pom.xml",
                "spark-conf/bin/bolt",
                "spark-conf/bin/parts.sh",
                "spark-conf/bin/build.sh")) {
            Files.createDirectories(root.resolve(copied).resolveSibling(""));
            Files.copy(REAL.resolve(copied), root.resolve(copied));
        }
        copyJars("spark-conf/target/lib", root);
        copyJars("spark-conf/target/lib/proof", root);
        Path emulator = root.resolve("rdma-native/target/emulator");
        Files.createDirectories(emulator.resolveSibling(""));
        Files.createSymbolicLink(emulator, REAL.resolve("rdma-native/target/emulator"));
        // Newer than the sources: so the launcher builds nothing.
        Files.createFile(home.resolve("target/.built"));
        return new BuiltCheckout(root, Files.createDirectories(directory.resolve("logs")));
    }

    private static void copyJars(String directory, Path root) throws IOException {
        Path lib = Files.createDirectories(root.resolve(directory));
        try (Stream<Path> jars = Files.list(REAL.resolve(directory))) {
            for (Path jar : jars.filter(Files::isRegularFile).toList()) {
                Files.copy(jar, lib.resolve(jar.getFileName()));
            }
        }
    }

    Path launcher() {
        return root.resolve("spark-conf/bin/bolt");
    }

    Path root() {
        return root;
    }

    /** Pastes a command, or several, into a shell that stops at the first that fails; {@code bolt} is on the path. */
    RunningBolt paste(String commands) throws IOException {
        return RunningBolt.start(shell(commands), logs, root);
    }

    /** The same with the JVMs' temporary directory elsewhere. */
    RunningBolt paste(String commands, Path temporary) throws IOException {
        ProcessBuilder shell = shell(commands);
        shell.environment()
                .merge("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary, (given, ours) -> given + " " + ours);
        return RunningBolt.start(shell, logs, temporary);
    }

    private ProcessBuilder shell(String commands) {
        Path bolt = launcher();
        ProcessBuilder shell = UnpackedBolt.command(bolt);
        shell.command(new ArrayList<>(List.of("bash", "-euc", commands))).directory(root.toFile());
        shell.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        shell.environment().merge("PATH", bolt.resolveSibling("").toString(), (path, ours) -> ours + ":" + path);
        return shell;
    }
}
