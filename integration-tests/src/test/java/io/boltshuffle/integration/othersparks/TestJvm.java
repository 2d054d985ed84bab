package io.boltshuffle.integration.othersparks;

import io.boltshuffle.os.ProcessTree;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs tests of this build in a JVM with another class path.
 *
 * @param code 0 if all passed
 * @param output of both streams
 */
record TestJvm(int code, String output) {
    private static final String RUNNER = "org.junit.platform.console.ConsoleLauncher";
    private static final long LIMIT_MINUTES = 60;

    /**
     * Runs tests.
     *
     * @param module whose directory is the working directory, as when Maven runs them
     * @param selection of tests, in the words of JUnit's own program
     */
    static TestJvm run(String classPath, String module, Path directory, List<String> selection)
            throws IOException, InterruptedException, TimeoutException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // As this JVM has, for Spark.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--add-opens"))
                .forEach(command::add);
        command.addAll(List.of(
                "-ea",
                "-Xmx1g",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                RUNNER,
                "execute",
                "--disable-banner",
                "--disable-ansi-colors",
                "--details=tree",
                "--fail-if-no-tests"));
        command.addAll(selection);
        Path log = directory.resolve("tests.log");
        Process tests = new ProcessBuilder(command)
                .directory(Path.of("..", module).toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!tests.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                throw new TimeoutException("still running after " + LIMIT_MINUTES + " minutes: " + log);
            }
            return new TestJvm(tests.exitValue(), Files.readString(log));
        } finally {
            ProcessTree.end(tests);
        }
    }
}
