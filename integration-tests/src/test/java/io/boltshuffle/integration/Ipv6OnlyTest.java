package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A network without IPv4: a namespace of its own, whose loopback has the addresses of two hosts. Skipped where there
 * can be none.
 */
@Tag("ladder")
class Ipv6OnlyTest {

    private static final List<String> NAMESPACE = List.of("unshare", "--net", "--map-root-user");

    @Test
    void aJobGoesByRdmaWhereThereIsNoIpv4(@TempDir Path directory) throws Exception {
        assumeTrue(isNamespaceAllowed(), "this machine allows no network namespace with IPv6");
        Path said = directory.resolve("said");
        ProcessBuilder builder = new ProcessBuilder(inNamespace(program(directory)))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment()
                .putAll(Map.of("SPARK_LOCAL_IP", Ipv6OnlyProgram.HOSTS.get(0), "SPARK_PREFER_IPV6", "true"));
        Process program = builder.start();
        try {
            assertThat(program.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            program.descendants().forEach(ProcessHandle::destroyForcibly);
            program.destroyForcibly();
        }
        assertThat(program.exitValue()).as(Files.readString(said)).isZero();
    }

    private static boolean isNamespaceAllowed() throws InterruptedException {
        try {
            return new ProcessBuilder(inNamespace(List.of("true"))).start().waitFor() == 0;
        } catch (IOException e) {
            return false; // no such command
        }
    }

    private static List<String> inNamespace(List<String> command) {
        List<String> setUp = new ArrayList<>(List.of("ip link set lo up", "ip -4 address flush dev lo"));
        for (String host : Ipv6OnlyProgram.HOSTS) {
            setUp.add("ip -6 address add " + host + "/128 dev lo nodad");
        }
        List<String> all = new ArrayList<>(NAMESPACE);
        all.addAll(List.of("sh", "-c", String.join(" && ", setUp) + " && exec \"$@\"", "sh"));
        all.addAll(command);
        return all;
    }

    /** Returns the command of the program, with the options of this JVM, which are those that Spark needs. */
    private static List<String> program(Path directory) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--add-opens"))
                .forEach(command::add);
        command.addAll(List.of(
                "-ea",
                "-Djava.net.preferIPv6Addresses=true",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                Ipv6OnlyProgram.class.getName(),
                directory.toString()));
        return command;
    }
}
