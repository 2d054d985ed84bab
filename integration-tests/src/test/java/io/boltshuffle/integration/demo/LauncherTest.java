package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class LauncherTest {
    private final Path directory;
    private final UnpackedBolt bolt;
    private final Path launcher;
    private final Path lib;

    LauncherTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.bolt = UnpackedBolt.in(directory.resolve("with some spaces"));
        this.launcher = bolt.launcher();
        this.lib = bolt.lib();
    }

    @BeforeEach
    void theLauncherIsExecutable() {
        assertThat(launcher).isExecutable();
    }

    @Test
    void itRunsFromAPathWithSpaces() throws Exception {
        expect(UnpackedBolt.command(launcher, "--version"), 0, "");
    }

    /** The archive is as a release has it. */
    @Tag("ci")
    @Test
    void whatTheArchiveHoldsIsEnoughToClimbTheLadderOnAVirtualCable() throws Exception {
        bolt.installVirtualThunderbolt();
        ProcessBuilder command = UnpackedBolt.command(launcher, "verify", "--virtual", "--seconds", "1");
        try (RunningBolt running = RunningBolt.start(command, directory, directory)) {
            assertThat(running.exitCode()).as(running.err()).isZero();
        }
    }

    /** The archive was built by a user from a checkout, or is one for another platform. */
    @Test
    void withoutAVirtualThunderboltTheWayToOneIsNamed() throws Exception {
        expect(
                UnpackedBolt.command(launcher, "verify", "--virtual"),
                3,
                "or run this in a checkout, after 'mvn package' with a C compiler and make installed");
    }

    @Test
    void theArchiveHasHelpProfilesAndPages() throws Exception {
        try (RunningBolt running = RunningBolt.start(UnpackedBolt.command(launcher, "--help"), directory, directory)) {
            assertThat(running.exitCode()).as(running.err()).isZero();
            assertThat(running.out()).contains("doctor", "topology", "demo");
        }
        Path root = lib.resolveSibling("");
        assertThat(root.resolve("profiles/standalone-2-macs.conf")).exists();
        assertThat(root.resolve("docs/operations.md")).exists();
        assertThat(root.resolve("LICENSE")).exists();
    }

    @Test
    void theBillOfMaterialsAndTheLicenceReportNameEveryJarOfTheArchive() throws IOException {
        Path billFile = lib.resolveSibling("bom.json");
        assumeTrue(Files.exists(billFile), "built without a network: the tool that writes the bill does not run then");
        JsonNode bill = new ObjectMapper().readTree(billFile.toFile());
        List<String> billed = new ArrayList<>();
        bill.findPath("components").forEach(part -> billed.add(jarName(part)));
        billed.add(jarName(bill.path("metadata").path("component")));
        String licences = Files.readString(lib.resolveSibling("THIRD-PARTY.txt"));

        try (Stream<Path> jars = Files.list(lib)) {
            assertThat(jars.map(jar -> jar.getFileName().toString()))
                    .isNotEmpty()
                    .allSatisfy(jar -> assertThat(billed).contains(jar))
                    .filteredOn(jar -> !jar.startsWith("boltshuffle-cli-"))
                    .allSatisfy(jar -> assertThat(licences)
                            .contains(jar.replaceFirst("-(\\d[^-]*(-jre|-SNAPSHOT)?)\\.jar$", ":$1")));
        }
    }

    private static String jarName(JsonNode part) {
        return part.path("name").asText() + "-" + part.path("version").asText() + ".jar";
    }

    @Test
    void itRunsThroughLinksToLinks() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("bolt link"), launcher);
        Path second = Files.createSymbolicLink(directory.resolve("second"), link.getFileName());

        expect(UnpackedBolt.command(second, "--version"), 0, "");
    }

    @Test
    void aWrongJavaHomeIsNamedWithTheRemedy() throws Exception {
        ProcessBuilder command = UnpackedBolt.command(launcher, "--version");
        command.environment().put("JAVA_HOME", "/no/java");

        expect(command, 3, "JAVA_HOME is /no/java, which has no bin/java: point it at a JDK 17 or newer");
    }

    @Test
    void anOldJavaIsNamedWithTheRemedy() throws Exception {
        ProcessBuilder command = UnpackedBolt.command(launcher, "--version");
        command.environment()
                .put(
                        "JAVA_HOME",
                        fakeJava("openjdk version \"11.0.2\" 2019-01-15").toString());

        expect(command, 3, "is Java 11, and 17 or newer is needed: set JAVA_HOME");
    }

    @Test
    void withoutJavaOrAPackageManagerTheCommandsOfMacosAndLinuxAreNamed() throws Exception {
        expect(
                withPrograms(Map.of()),
                3,
                "bolt: this machine lacks Java 17 or newer: install that (macOS: 'brew install openjdk@17', with"
                        + " Homebrew from https://brew.sh; Debian and Ubuntu: 'sudo apt-get install"
                        + " default-jdk-headless'; ");
    }

    @Test
    void withoutJavaTheCommandOfDebianIsNamed() throws Exception {
        String lists = "[ \"$2\" = openjdk-21-jdk-headless ] && echo yes";
        expect(
                withPrograms(Map.of("apt-get", "exit 1", "apt-cache", lists)),
                3,
                "apt-get install -qqy --no-install-recommends openjdk-21-jdk-headless', or have bolt do that");
    }

    /** A Mac without Java has a program java, which says so. */
    @Test
    void onAMacWithoutJavaTheCommandOfHomebrewIsNamed() throws Exception {
        String stub = "echo 'The operation couldn\u2019t be completed. Unable to locate a Java Runtime.' >&2; exit 1";
        expect(
                withPrograms(Map.of("uname", "echo Darwin", "brew", "exit 1", "java", stub)),
                3,
                "bolt: this machine lacks Java 17 or newer: install with 'brew install openjdk@17'");
    }

    /** Runs the launcher where nothing is on the PATH but what it needs of a system, and these. */
    private ProcessBuilder withPrograms(Map<String, String> scripts) throws IOException {
        Path programs = Files.createDirectories(directory.resolve("programs"));
        for (String name : List.of("bash", "sh", "dirname", "readlink", "uname", "id", "sed", "grep", "head")) {
            if (!scripts.containsKey(name)) {
                Path found = Stream.of("/bin", "/usr/bin")
                        .map(place -> Path.of(place, name))
                        .filter(Files::exists)
                        .findFirst()
                        .orElseThrow();
                Files.createSymbolicLink(programs.resolve(name), found);
            }
        }
        for (Map.Entry<String, String> script : scripts.entrySet()) {
            Path program =
                    Files.writeString(programs.resolve(script.getKey()), "#!/bin/sh\n" + script.getValue() + "\n");
            assertThat(program.toFile().setExecutable(true)).isTrue();
        }
        ProcessBuilder command = UnpackedBolt.command(launcher, "--version");
        command.environment().remove("JAVA_HOME");
        // CI lets bolt install what is missing.
        command.environment().remove("BOLT_INSTALL");
        command.environment().put("PATH", programs.toString());
        return command;
    }

    @Test
    void aJavaThatDoesNotStartIsQuoted() throws Exception {
        ProcessBuilder command = UnpackedBolt.command(launcher, "--version");
        command.environment().put("JDK_JAVA_OPTIONS", "-XX:+NoSuchOption");

        expect(command, 3, "does not start: Unrecognized VM option 'NoSuchOption'; see JAVA_TOOL_OPTIONS");
    }

    @Test
    void aMissingLibraryDirectoryIsNamedWithTheRemedy() throws Exception {
        Files.move(lib, directory.resolve("elsewhere"));

        expect(UnpackedBolt.command(launcher, "--version"), 3, "unpack the archive again");
    }

    @Test
    void aWrongSparkHomeIsNamedWithTheRemedy() throws Exception {
        ProcessBuilder command = UnpackedBolt.command(launcher, "spark-submit", "app.jar");
        command.environment().put("SPARK_HOME", directory.toString());

        expect(command, 3, "there is no Spark at " + directory);
    }

    private void expect(ProcessBuilder command, int exitCode, String message)
            throws IOException, InterruptedException, TimeoutException {
        try (RunningBolt running = RunningBolt.start(command, directory, directory)) {
            assertThat(running.exitCode()).as(running.err()).isEqualTo(exitCode);
            assertThat(running.err()).contains(message);
            if (exitCode == 0) {
                assertThat(running.out()).startsWith("bolt ");
            }
        }
    }

    private Path fakeJava(String version) throws IOException {
        Path home = directory.resolve("old java");
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho '" + version + "' >&2\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        return home;
    }
}
