package io.boltshuffle.proof.bench.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.cluster.HostNetwork;
import io.boltshuffle.os.ProcessTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests namespaces on machines that can have them: the kernel's own, with a real stream through them. */
@Tag("ci")
class NamespacesOfThisMachineTest {
    private static final long RATE = 10_000_000;
    private static final HeldNetwork SLOW = HeldNetwork.of(new Bandwidth(8.0 * RATE), Optional.empty(), 1500);
    private static final int PORT = 5001;
    private static final SystemTool SYSTEM = SystemTool.OF_SYSTEM;

    @BeforeEach
    void onlyWhereItCanBeHad() {
        try {
            Namespaces.requirePossible(SLOW, SYSTEM);
        } catch (BoltException e) {
            abort(e.getMessage());
        }
    }

    @Test
    void theNetworkCarriesItsRateAndAHostsTrafficWithItselfIsFree() throws Exception {
        Namespaces hosts = Namespaces.make(2, SLOW, SYSTEM);
        try {
            String one = hosts.hosts().get(0);
            String other = hosts.hosts().get(1);

            assertThat(bytesPerSecond(hosts, one, other, RATE)).isBetween(RATE / 2, RATE * 11 / 10);
            assertThat(bytesPerSecond(hosts, other, one, RATE)).isBetween(RATE / 2, RATE * 11 / 10);
            assertThat(bytesPerSecond(hosts, one, one, 20 * RATE)).isGreaterThan(2 * RATE);
        } finally {
            hosts.remove();
        }
        assertThat(namespacesOf(ProcessHandle.current().pid())).isEmpty();
    }

    @Test
    void aPairCarriesMoreThanASlowNetworkBothWays() throws Exception {
        Namespaces hosts = Namespaces.makePair(9000, true, SYSTEM);
        try {
            String one = hosts.hosts().get(0);
            String other = hosts.hosts().get(1);

            assertThat(bytesPerSecond(hosts, one, other, 20 * RATE)).isGreaterThan(2 * RATE);
            assertThat(bytesPerSecond(hosts, other, one, 20 * RATE)).isGreaterThan(2 * RATE);
        } finally {
            hosts.remove();
        }
        assertThat(namespacesOf(ProcessHandle.current().pid())).isEmpty();
    }

    @Test
    void removingItEndsWhatStillRunsOnItsHosts() throws Exception {
        Namespaces hosts = Namespaces.make(2, SLOW, SYSTEM);
        Process left = hosts.on(hosts.hosts().get(1), new ProcessBuilder("sleep", "600"))
                .start();
        awaitInside(left);

        hosts.remove();

        assertThat(left.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(namespacesOf(ProcessHandle.current().pid())).isEmpty();
    }

    @Test
    void theNextRunRemovesWhatAKilledOneLeftWithItsProcesses() throws Exception {
        Process killed = new ProcessBuilder("true").start();
        killed.waitFor();
        String name = "bolt-" + killed.pid() + "-1-0";
        SYSTEM.run(List.of("ip", "netns", "add", name));
        Process left = new ProcessBuilder("nsenter", "--net=/var/run/netns/" + name, "sleep", "600").start();
        awaitInside(left);

        Namespaces.requirePossible(SLOW, SYSTEM);

        assertThat(left.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(namespacesOf(killed.pid())).isEmpty();
    }

    /** The program that enters a namespace becomes the other one once it is there. */
    private static void awaitInside(Process process) {
        await().until(() -> process.info().command().orElse("").endsWith("sleep"));
    }

    private static List<String> namespacesOf(long pid) {
        return SYSTEM.run(List.of("ip", "netns", "list"))
                .lines()
                .filter(line -> line.startsWith("bolt-" + pid + "-"))
                .toList();
    }

    private static long bytesPerSecond(HostNetwork hosts, String from, String to, long bytes) throws Exception {
        Process receiver = stream(hosts, to, "receive", to, Integer.toString(PORT));
        try (BufferedReader lines = receiver.inputReader()) {
            assertThat(lines.readLine()).isEqualTo(Integer.toString(PORT));
            Process sender = stream(hosts, from, "send", to, Integer.toString(PORT), Long.toString(bytes));
            try {
                return Long.parseLong(lines.readLine());
            } finally {
                ProcessTree.end(sender);
            }
        } finally {
            ProcessTree.end(receiver);
        }
    }

    private static Process stream(HostNetwork hosts, String host, String... arguments) throws Exception {
        String classes = Path.of(TcpStream.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        ProcessBuilder command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classes,
                TcpStream.class.getName());
        command.command().addAll(List.of(arguments));
        return startedOn(hosts, host, command);
    }

    private static Process startedOn(HostNetwork hosts, String host, ProcessBuilder command) throws IOException {
        return hosts.on(host, command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
