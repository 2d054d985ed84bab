package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Shows how the launcher builds a checkout: with a Maven and a JDK that are scripts, so that it takes no time and can
 * fail.
 */
@Tag("slow")
class LauncherBuildTest {
    private static final Path REAL = Path.of("..", "spark-conf", "bin");

    private final Path root;
    private final Path home;
    private final Path programs;

    LauncherBuildTest(@TempDir Path directory) throws IOException {
        root = directory.resolve("a path with ü");
        home = root.resolve("checkout/spark-conf");
        programs = Files.createDirectories(root.resolve("programs/bin"));
        Path bin = Files.createDirectories(home.resolve("bin"));
        for (String script : List.of("bolt", "parts.sh", "build.sh")) {
            Files.copy(REAL.resolve(script), bin.resolve(script));
        }
        for (String sources : List.of(
                "rdma-native/src", "shuffle-manager/src/main", "spark-conf/src/main", "integration-tests/src/main")) {
            Files.createDirectories(home.resolveSibling(sources));
        }
        Files.createFile(home.resolveSibling("pom.xml"));
        Files.createFile(home.resolve("pom.xml"));
        for (String program : List.of("javac", "cc", "make")) {
            program(program, "exit 0");
        }
        program("java", """
                case "$*" in
                  -version) echo 'openjdk version "17.0.1"' >&2 ;;
                  *XshowSettings*) echo "    java.home = ${0%/bin/java}" >&2 ;;
                  *) echo "ran $*" ;;
                esac""");
        maven("succeeds");
    }

    /** Each run of Maven leaves a line in {@code builds} and, if told to, waits for a file {@code go}. */
    private void maven(String end) throws IOException {
        program("mvn", """
                [ "$1" = -v ] && { echo "Apache Maven 3.9.9"; exit 0; }
                here=$(dirname "$0")
                echo run >>"$here/builds"
                while [ -e "$here/wait" ] && [ ! -e "$here/go" ]; do sleep 0.1; done
                for word in "$@"; do case $word in -Dcommand.lib=*) lib=${word#*=} ;; esac; done
                [ %s = succeeds ] || { echo "[ERROR] it does not compile"; exit 1; }
                echo "$(grep -c run "$here/builds")" >"$lib/boltshuffle-cli-1.jar"
                """.formatted(end));
    }

    private void program(String name, String script) throws IOException {
        script(programs.resolve(name), "#!/bin/sh\n" + script + "\n");
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private RunningBolt bolt(String name, String... arguments) throws IOException {
        ProcessBuilder command = UnpackedBolt.command(home.resolve("bin/bolt"), arguments);
        command.environment().put("JAVA_HOME", root.resolve("programs").toString());
        command.environment().put("BOLT_INSTALL", "no");
        command.environment().merge("PATH", programs.toString(), (path, ours) -> ours + ":" + path);
        return RunningBolt.start(command, Files.createDirectories(root.resolve(name)), root);
    }

    private Path builds() {
        return programs.resolve("builds");
    }

    private String jar() throws IOException {
        return Files.readString(home.resolve("target/lib/boltshuffle-cli-1.jar"))
                .strip();
    }

    @Test
    void aCheckoutIsBuiltOnceAndThenRuns() throws Exception {
        for (int run = 0; run < 2; run++) {
            try (RunningBolt bolt = bolt("run" + run, "verify")) {
                assertThat(bolt.exitCode()).as(bolt.err()).isZero();
                assertThat(bolt.out()).contains("io.boltshuffle.cli.Bolt verify");
            }
        }
        assertThat(builds()).hasContent("run\n");
    }

    @Test
    void ofTwoAtOnceOneBuildsAndTheOtherWaitsAndSaysSo() throws Exception {
        Files.createFile(programs.resolve("wait"));
        try (RunningBolt first = bolt("first", "verify")) {
            await().until(() -> Files.exists(builds()));
            try (RunningBolt second = bolt("second", "verify")) {
                second.awaitSaid("is building here; waiting for it");
                Files.createFile(programs.resolve("go"));

                assertThat(first.exitCode()).as(first.err()).isZero();
                assertThat(second.exitCode()).as(second.err()).isZero();
            }
        }
        assertThat(builds()).hasContent("run\n");
    }

    @Test
    void aLockWhoseOwnerIsGoneIsBroken() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        Files.createDirectories(home.resolve("target"));
        Files.createSymbolicLink(home.resolve("target/.building"), Path.of("process-" + gone.pid()));
        try (RunningBolt bolt = bolt("run", "verify")) {
            assertThat(bolt.exitCode()).as(bolt.err()).isZero();
        }
        assertThat(home.resolve("target/.building")).doesNotExist();
    }

    @Test
    void aBuildThatFailsLeavesTheLastGoodOneAndNothingElse() throws Exception {
        try (RunningBolt bolt = bolt("good", "verify")) {
            assertThat(bolt.exitCode()).as(bolt.err()).isZero();
        }
        Files.writeString(Files.createFile(home.resolve("src/main/Broken.java")), "broken");
        Files.setLastModifiedTime(home.resolve("target/.built"), FileTime.fromMillis(1_000_000_000_000L));
        maven("fails");
        try (RunningBolt bolt = bolt("bad", "verify")) {
            assertThat(bolt.exitCode()).isEqualTo(3);
            assertThat(bolt.err()).contains("[ERROR] it does not compile", "the last good build stays");
        }
        assertThat(jar()).isEqualTo("1");
        assertThat(home.resolve("target"))
                .isDirectoryNotContaining(file -> file.getFileName().toString().matches("lib-.*|\\.building.*"));
    }

    @Test
    void whatIsMissingIsNamedAllAtOnceWithTheCommandThatInstallsIt() throws Exception {
        // A path without a compiler, make and Java, and with a package manager that must not be asked.
        Path bare = Files.createDirectories(root.resolve("bare"));
        for (String name : List.of("bash", "sh", "dirname", "uname", "id", "find", "head", "readlink")) {
            String program = (Files.exists(Path.of("/bin", name)) ? "/bin/" : "/usr/bin/") + name;
            script(bare.resolve(name), "#!/bin/sh\nexec " + program + " \"$@\"\n");
        }
        script(bare.resolve("apt-get"), "#!/bin/sh\necho installing >&2\nexit 1\n");
        ProcessBuilder command = UnpackedBolt.command(home.resolve("bin/bolt"), "verify");
        command.environment().remove("JAVA_HOME");
        command.environment().put("BOLT_INSTALL", "no");
        command.environment().put("PATH", bare.toString());
        try (RunningBolt bolt = RunningBolt.start(command, root, root)) {
            assertThat(bolt.exitCode()).as(bolt.err()).isEqualTo(3);
            assertThat(bolt.err())
                    .contains("this machine lacks a JDK 17 or newer, a C compiler (cc), make:", "BOLT_INSTALL=yes")
                    .doesNotContain("installing");
        }
    }

    @ParameterizedTest
    @CsvSource({"demo --size 20m, 143 MiB", "verify --virtual, 40 MiB"})
    void tooLittleSharedMemoryIsSaidBeforeAnythingIsFetched(String line, String need) throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc")), "only Linux has a limit");
        program("stat", "echo 2000 4096");
        try (RunningBolt bolt = bolt("run", line.split(" ", -1))) {
            assertThat(bolt.exitCode()).as(bolt.err()).isEqualTo(3);
            assertThat(bolt.err()).contains("has 7 MiB free", need, "--shm-size=1g");
        }
        assertThat(builds()).doesNotExist();
    }

    @Test
    void theTestsAreRunByTheMavenCommandOfThePage() throws Exception {
        program("mvn", "[ \"$1\" = -v ] && echo 'Apache Maven 3.9.9' || echo \"in $PWD: $*\"");
        try (RunningBolt bolt = bolt("run", "test", "-Pci")) {
            assertThat(bolt.exitCode()).as(bolt.err()).isZero();
            assertThat(bolt.out()).contains("checkout: -B -ntp verify -Pci");
        }
    }
}
