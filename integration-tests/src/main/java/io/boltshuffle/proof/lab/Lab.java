package io.boltshuffle.proof.lab;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The lab of a checkout. It makes the command lines that boot the lab; {@link #exitCode} translates their exit codes.
 */
public final class Lab {

    /** The deadline passed, and the guest was ended. */
    public static final int DEADLINE = 124;

    /** The script's exit code for something that this machine lacks. */
    private static final int UNAVAILABLE = 69;

    private static final String RUNNER = "org.junit.platform.console.ConsoleLauncher";

    /** Emulated processors take so many times as long for what has a deadline, on a busy machine. */
    private static final int EMULATED_DEADLINES = 12;

    private static final Pattern NEEDED_BY_LINKS = Pattern.compile("/rdma-native/|/integration-tests/|/(jna|slf4j|log4j"
            + "|junit|opentest|open-test|apiguardian|jspecify|assertj|awaitility|hamcrest|byte-buddy|picocli)"
            + "[^/]*\\.jar$");

    private final Path checkout;

    private Lab(Path checkout) {
        this.checkout = checkout;
    }

    /** Returns the lab of the checkout that this command was started from. */
    public static Lab ofInstallation() {
        return in(Installation.current().lib().resolve("../../..").normalize());
    }

    /**
     * Returns the lab of a checkout.
     *
     * @throws BoltException if the directory is not a checkout
     */
    public static Lab in(Path checkout) {
        Lab lab = new Lab(checkout.toAbsolutePath().normalize());
        if (!Files.isExecutable(lab.script())) {
            throw BoltException.environment(
                    "there is no lab at " + lab.script(), "run this in a checkout: an archive carries no tests");
        }
        return lab;
    }

    /** Returns the command that gets the kernel and prints where it is. */
    public ProcessBuilder prepare(LabEngine engine) {
        return new ProcessBuilder(script().toString(), "prepare", "--engine", engine.word());
    }

    /** Returns the command that runs any command in a guest. */
    public ProcessBuilder run(LabGuest guest, List<String> command) {
        List<String> words = new ArrayList<>(List.of(script().toString(), "run"));
        words.addAll(guest.options());
        words.add("--");
        words.addAll(command);
        return new ProcessBuilder(words);
    }

    /** Returns the command that runs a suite's tests in a guest, from what {@link #build} made. */
    public ProcessBuilder run(LabSuite suite, LabGuest guest) {
        Path tests = checkout.resolve("integration-tests/target");
        boolean ownRoot = guest.engine().hasOwnRoot();
        String java = ownRoot
                ? "java"
                : Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(
                "env",
                // Every JVM in the guest lives for a minute, so the most expensive compiler does not pay off.
                "JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
                "SPARK_HOME=/tmp/spark-home",
                "SPARK_SCALA_VERSION=2.13",
                "SPARK_LOCAL_IP=127.0.0.1",
                java,
                "@" + tests.resolve("test-classes/lab/options"),
                "-Dbolt.link.deadlineScale=" + (ownRoot ? EMULATED_DEADLINES : 1),
                "-cp",
                ownRoot && suite.needsFewJars() ? fewOf(classPath(tests)) : classPath(tests),
                RUNNER,
                "execute",
                "--disable-banner",
                "--disable-ansi-colors",
                "--details=verbose", // what takes long is seen as it happens
                "--fail-if-no-tests"));
        command.addAll(suite.selection(guest.engine()));
        return run(guest, command)
                .directory(checkout.resolve(suite.module().directory()).toFile());
    }

    /**
     * Returns the command that compiles the checkout's tests and records their class path. Maven decides what is out of
     * date.
     */
    public ProcessBuilder build() {
        return new ProcessBuilder(
                System.getProperty("bolt.maven", "mvn"),
                "-q",
                "-B",
                "-ntp",
                "-f",
                checkout.resolve("pom.xml").toString(),
                "-pl",
                "integration-tests",
                "-am",
                "-DskipTests",
                "process-test-classes");
    }

    private String classPath(Path tests) {
        Path file = tests.resolve("test-class-path");
        try {
            return String.join(
                    File.pathSeparator,
                    checkout.resolve("rdma-native/target/test-classes").toString(),
                    tests.resolve("test-classes").toString(),
                    Files.readString(file).strip());
        } catch (IOException e) {
            throw new UncheckedIOException("the tests are not built: no " + file, e);
        }
    }

    /**
     * Returns the entries that tests of links need. A guest with a root of its own opens each by an emulated processor,
     * over a file system that is slow.
     */
    private static String fewOf(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> NEEDED_BY_LINKS.matcher(entry).find())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private Path script() {
        return checkout.resolve("integration-tests/lab/lab");
    }

    /** Returns this command's exit code for that of the script. */
    public static int exitCode(int code) {
        return code == UNAVAILABLE ? ExitCode.ENVIRONMENT : code;
    }
}
