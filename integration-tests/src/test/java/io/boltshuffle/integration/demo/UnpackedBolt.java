package io.boltshuffle.integration.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The command laid out as its archive is: {@code bin} next to {@code lib}. */
final class UnpackedBolt {
    private static final Path MODULE = Path.of("..", "spark-conf");
    /** Test JVMs are short-lived: what they would win by the second compiler they have not the time to use. */
    private static final String QUICK_JVMS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private final Path root;

    private UnpackedBolt(Path root) {
        this.root = root;
    }

    static UnpackedBolt in(Path root) throws IOException {
        Path built = MODULE.resolve("target/lib");
        if (!Files.isDirectory(built)) {
            throw new IllegalStateException(
                    "these tests run the packaged command: use 'mvn verify', or 'mvn package' before them");
        }
        copyFiles(built, root.resolve("lib"));
        copyFiles(MODULE.resolve("bin"), root.resolve("bin"));
        return new UnpackedBolt(root);
    }

    Path launcher() {
        return root.resolve("bin/bolt");
    }

    Path lib() {
        return root.resolve("lib");
    }

    /** A command ready to start, in an environment without Spark settings; runtimes are kept from test to test. */
    static ProcessBuilder command(Path launcher, String... arguments) {
        List<String> words = new ArrayList<>(List.of(launcher.toString()));
        words.addAll(List.of(arguments));
        ProcessBuilder command = new ProcessBuilder(words);
        command.environment().keySet().removeIf(name -> name.startsWith("SPARK_"));
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        command.environment().put("JAVA_TOOL_OPTIONS", QUICK_JVMS);
        command.environment()
                .put("BOLT_CACHE", Path.of("target/bolt-cache").toAbsolutePath().toString());
        return command;
    }

    private static void copyFiles(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }
}
