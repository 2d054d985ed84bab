package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.verbs.PeerProgram.Role;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** The binding between two JVMs that are two hosts. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class TwoProcessVerbsTest {

    private static final String SEED = "4711";

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    /** A JVM spoken to by lines. */
    private record Peer(Process process, BufferedReader out, PrintStream in) {

        static Peer of(Process process) {
            return new Peer(
                    process,
                    process.inputReader(StandardCharsets.UTF_8),
                    new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8));
        }

        String line() throws IOException {
            String line = out.readLine();
            assertThat(line).as("a line of a peer that still runs").isNotNull();
            return line;
        }
    }

    @Test
    void aStreamOfSendsArrivesWholeOverUnreliableQueuePairs(@TempDir Path directory) throws Exception {
        VirtualFabric fabric = VirtualFabric.of(directory, "profile apple", "host a", "host b", "cable c a:en5 b:en6");

        converse(fabric, Role.SENDER, Role.RECEIVER);
    }

    @Test
    void aReadBringsAnotherProcessesMemory(@TempDir Path directory) throws Exception {
        VirtualFabric fabric = VirtualFabric.of(directory, "profile linux", "host a", "host b", "cable c a:en5 b:en6");

        converse(fabric, Role.TARGET, Role.READER);
    }

    /** The other host has a receive posted on that cable, and this JVM started both. */
    @Test
    void aPulledCableKillsOnlyTheProcessThatPosts(@TempDir Path directory) throws Exception {
        VirtualFabric fabric = VirtualFabric.of(directory, "profile apple", "host a", "host b", "cable c a:en5 b:en6");
        Peer sender = start(fabric, "a", Role.SENDER, "rdma_en5");
        Peer witness = start(fabric, "b", Role.WITNESS, "rdma_en6");
        connect(sender, witness);

        fabric.control("cable", "c", "pull", "segv");
        sender.in.println();

        assertThat(sender.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(directory.resolve("crash-of-" + sender.process.pid() + ".log"))
                .content()
                .contains("SIGSEGV", "libvtb");
        witness.in.println();
        assertThat(witness.line()).isEqualTo("DOWN");
        witness.line();
        end(witness);
    }

    private void converse(VirtualFabric fabric, Role onA, Role onB) throws Exception {
        Peer a = start(fabric, "a", onA, "rdma_en5");
        Peer b = start(fabric, "b", onB, "rdma_en6");
        connect(a, b);
        a.in.println();
        b.in.println();

        assertThat(List.of(a.line(), b.line())).containsOnly(checksumOfContent());

        end(a);
        end(b);
    }

    private static void connect(Peer a, Peer b) throws IOException {
        String addressOfA = a.line();
        b.in.println(addressOfA);
        a.in.println(b.line());
        assertThat(a.line()).isEqualTo("READY");
        assertThat(b.line()).isEqualTo("READY");
    }

    private static void end(Peer peer) throws InterruptedException {
        peer.in.println();
        assertThat(peer.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(peer.process.exitValue()).isZero();
    }

    private Peer start(VirtualFabric fabric, String host, Role role, String device) throws IOException {
        Process process = fabric.start(host, PeerProgram.class, role.name(), device, SEED);
        started.add(process);
        return Peer.of(process);
    }

    private static String checksumOfContent() {
        byte[] content = new byte[PeerProgram.TOTAL_BYTES];
        new Random(Long.parseLong(SEED)).nextBytes(content);
        CRC32C checksum = new CRC32C();
        checksum.update(content);
        return Long.toHexString(checksum.getValue());
    }
}
