package io.boltshuffle.cli.joining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.os.OperatingSystem;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines that join over real connections, and those that should not. */
@Tag("slow")
class JoiningTest {
    private static Identity identity;
    private static Identity another;

    private final FirstMachine first;
    private final Path directory;

    JoiningTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.first = new FirstMachine(identity, directory, FirstMachine.QUICK);
    }

    @BeforeAll
    static void makeCertificates(@TempDir Path directory) {
        identity = Identity.in(directory.resolve("identity"));
        another = Identity.in(directory.resolve("another"));
    }

    @AfterEach
    void close() throws IOException {
        first.close();
    }

    @Test
    void aMachineWithTheCodeGetsAllThatTheFirstOneOffers() throws IOException {
        JoinClient.Joined joined = first.join(first.codes.issue());

        assertThat(joined.offer().masterUrl()).isEqualTo("spark://127.0.0.1:7077");
        assertThat(joined.offer().secret()).isEqualTo("the secret of Spark");
        assertThat(joined.offer().settings()).containsEntry("spark.authenticate", "true");
        assertThat(joined.offer().pluginJar())
                .isEqualTo(first.jars().resolve(first.jar.getFileName()))
                .hasSameBinaryContentAs(first.jar);
        assertThat(joined.fingerprint()).isEqualTo(identity.fingerprint());
        assertThat(first.members.all()).singleElement().satisfies(member -> {
            assertThat(member.name()).isEqualTo("mac2");
            assertThat(member.address()).isEqualTo("127.0.0.1");
        });
    }

    @Test
    void aJarThatIsThereAlreadyIsTaken() throws IOException {
        try (JoinClient client = first.call()) {
            assertThat(client.join(first.codes.issue(), first.jar, first.jars())
                            .offer()
                            .pluginJar())
                    .isEqualTo(first.jar);
        }
    }

    @Test
    void aCodeIsGoodForOneMachine() throws Exception {
        JoinCode code = first.codes.issue();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            Callable<Boolean> trying = () -> {
                try {
                    first.join(code);
                    return true;
                } catch (BoltException e) {
                    assertThat(e).hasMessageContaining("was used already");
                    return false;
                }
            };
            List<Boolean> outcomes = threads.invokeAll(List.of(trying, trying, trying)).stream()
                    .map(JoiningTest::get)
                    .toList();
            assertThat(outcomes).containsOnlyOnce(true);
        } finally {
            threads.shutdownNow();
        }
        assertThat(first.members.all()).hasSize(1);
    }

    @Test
    void aWrongCodeIsRefusedAndTheRightOneStaysGood() throws IOException {
        JoinCode code = first.codes.issue();

        assertThatThrownBy(
                        () -> first.join(JoinCode.parse("0000-0000-0000-0000").orElseThrow()))
                .isInstanceOf(BoltException.class)
                .hasMessageContaining("the code is wrong")
                .hasMessageContaining("bolt up --code");
        first.join(code);
    }

    @Test
    void aStaleCodeIsRefused() {
        JoinCode code = first.codes.issue();
        first.clock.advance(LiveCodes.LIFE);

        assertThatThrownBy(() -> first.join(code)).hasMessageContaining("older than 15 minutes");
        assertThat(first.members.all()).isEmpty();
    }

    @Test
    void anotherReleaseIsRefusedInOneSentenceWithTheRemedy() {
        JoinCode code = first.codes.issue();
        try (JoinClient older = JoinClient.call("127.0.0.1", first.port(), "0.1.0", "mac2")) {
            assertThatThrownBy(() -> older.join(code, first.ownJar(), first.jars()))
                    .isInstanceOf(BoltException.class)
                    .hasMessage("127.0.0.1 refuses: it has boltshuffle 0.2.0, and this machine has 0.1.0: install"
                            + " 0.2.0 here, or one release on both");
        }
    }

    @Test
    void aMachineComesBackByItsKeyFromAnotherAddressAndLeaves() throws IOException {
        assumeThat(OperatingSystem.current()).isEqualTo(OperatingSystem.LINUX); // has more loopback addresses
        Membership membership = first.join(first.codes.issue()).membership();
        try (JoinClient again = first.callFrom("127.0.0.3")) {
            assertThat(again.rejoin(membership, first.jar, first.jars()).here().getHostAddress())
                    .isEqualTo("127.0.0.3");
        }
        assertThat(first.members.all())
                .singleElement()
                .extracting(Member::address, Member::left)
                .containsExactly("127.0.0.3", false);

        try (JoinClient leaving = first.call()) {
            leaving.leave(membership, false);
        }
        assertThat(first.members.all()).singleElement().extracting(Member::left).isEqualTo(true);

        try (JoinClient forgotten = first.call()) {
            forgotten.leave(membership, true);
        }
        assertThat(first.members.all()).isEmpty();
        try (JoinClient unknown = first.call()) {
            assertThatThrownBy(() -> unknown.rejoin(membership, first.jar, first.jars()))
                    .hasMessageContaining("does not know this machine's key any more");
        }
    }

    @Test
    void aManInTheMiddleWithAnotherCertificateGetsNothingAndSpoilsNothing() throws Exception {
        JoinCode code = first.codes.issue();
        try (ServerSocket middle = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread relay = new Thread(() -> relayOne(middle, another.server(), first.port()), "man-in-the-middle");
            relay.start();
            try (JoinClient client =
                    JoinClient.call("127.0.0.1", middle.getLocalPort(), FirstMachine.RELEASE, "mac2")) {
                assertThatThrownBy(() -> client.join(code, first.ownJar(), first.jars()))
                        .isInstanceOf(BoltException.class)
                        .hasMessageContaining("the code is wrong");
            }
            relay.join();
        }
        assertThat(first.members.all()).isEmpty();
        assertThat(first.join(code).fingerprint()).isEqualTo(identity.fingerprint());
    }

    /** Passes on what either side says, which it can read. */
    private static void relayOne(ServerSocket middle, SSLContext tls, int port) {
        try (Socket plain = middle.accept();
                SSLSocket caller = (SSLSocket) tls.getSocketFactory().createSocket(plain, null, true);
                JoinClient host = JoinClient.call("127.0.0.1", port, FirstMachine.RELEASE, "middle")) {
            caller.setUseClientMode(false);
            Thread back = new Thread(() -> copy(host.socket(), caller), "back");
            back.start();
            copy(caller, host.socket());
            back.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            byte[] piece = new byte[4096];
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                out.write(piece, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // One of them has gone.
        } finally {
            try {
                to.close();
            } catch (IOException e) {
                // It has gone before.
            }
        }
    }

    /** Whoever has taken the first machine's address gets no machine that works for it. */
    @Test
    void aFirstMachineThatDoesNotKnowTheCodeIsNotBelieved(@TempDir Path elsewhere) throws Exception {
        JoinCode code = first.codes.issue();
        try (FirstMachine impostor = new FirstMachine(another, elsewhere, FirstMachine.QUICK)) {
            assertThatThrownBy(() -> impostor.join(code)).hasMessageContaining("the code is wrong");
        }
        try (FirstMachine impostor = new FirstMachine(another, elsewhere, FirstMachine.QUICK);
                JoinClient returning = impostor.call()) {
            Membership membership = first.join(first.codes.issue()).membership();
            assertThatThrownBy(() -> returning.rejoin(membership, first.ownJar(), first.jars()))
                    .hasMessageContaining("its certificate is not the one that it had");
        }
        try (ServerSocket liar = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread lying = new Thread(() -> lieOnce(liar), "liar");
            lying.start();
            try (JoinClient client = JoinClient.call("127.0.0.1", liar.getLocalPort(), FirstMachine.RELEASE, "mac2")) {
                assertThatThrownBy(() -> client.join(code, first.ownJar(), first.jars()))
                        .hasMessageContaining("it does not know the code or key itself");
            }
            lying.join();
        }
        assertThat(first.join(code).offer().spark()).isEqualTo("4.2.0");
    }

    /** Somebody who announces the first machine's certificate, and has another, cannot even try guesses. */
    @Test
    void aFirstMachineThatWasAnnouncedWithAnotherCertificateGetsNoProof() throws Exception {
        JoinCode code = first.codes.issue();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (ServerSocket liar = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Future<Integer> heard = threads.submit(() -> greetAndListen(liar));
            try (JoinClient client = JoinClient.call("127.0.0.1", liar.getLocalPort(), FirstMachine.RELEASE, "mac2")) {
                assertThatThrownBy(() -> client.join(code, identity.fingerprint(), first.ownJar(), first.jars()))
                        .isInstanceOf(BoltException.class)
                        .hasMessageContaining("its certificate is not the one that was announced");
            }
            assertThat(heard.get()).isEqualTo(-1);
        } finally {
            threads.shutdownNow();
        }
        try (JoinClient client = first.call()) {
            assertThat(client.join(code, identity.fingerprint(), first.ownJar(), first.jars())
                            .fingerprint())
                    .isEqualTo(identity.fingerprint());
        }
    }

    /** Returns what a caller says first after the greeting; -1 if it says nothing and ends. */
    private static int greetAndListen(ServerSocket liar) throws IOException {
        try (Socket plain = liar.accept();
                SSLSocket caller =
                        (SSLSocket) another.server().getSocketFactory().createSocket(plain, null, true)) {
            caller.setUseClientMode(false);
            JoinMessage.write(caller.getOutputStream(), new JoinMessage.Greeting(1, FirstMachine.RELEASE, "00"));
            return caller.getInputStream().read();
        }
    }

    private static void lieOnce(ServerSocket liar) {
        try (Socket plain = liar.accept();
                SSLSocket caller =
                        (SSLSocket) identity.server().getSocketFactory().createSocket(plain, null, true)) {
            caller.setUseClientMode(false);
            JoinMessage.write(caller.getOutputStream(), new JoinMessage.Greeting(1, FirstMachine.RELEASE, "00"));
            JoinMessage.read(caller.getInputStream(), JoinMessage.Request.class, JoinMessage.MOST_BYTES);
            JoinMessage.write(caller.getOutputStream(), new JoinMessage.Answer("", "00".repeat(32), null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aMessageOfTwoGigabytesEndsItsConnectionAndNothingElse() throws IOException {
        try (JoinClient caller = first.call()) {
            caller.socket().getInputStream().read();
            caller.socket()
                    .getOutputStream()
                    .write(ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array());
            assertThat(caller.socket().getInputStream().readAllBytes()).isNotEmpty(); // the greeting, then the end
        }
        first.join(first.codes.issue());
    }

    @Test
    void aCallerThatSaysNothingIsClosed(@TempDir Path elsewhere) throws IOException {
        JoinServer.Limits brief = new JoinServer.Limits(Duration.ofMillis(100), Duration.ofMinutes(1), Duration.ZERO);
        try (FirstMachine impatient = new FirstMachine(identity, elsewhere, brief);
                Socket silent = impatient.connect("127.0.0.1")) {
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void anAddressHasOnlySoManyConnectionsAtOnce() throws IOException {
        Socket[] silent = new Socket[JoinServer.MOST_OF_AN_ADDRESS];
        try {
            for (int i = 0; i < silent.length; i++) {
                silent[i] = first.connect("127.0.0.1");
            }
            try (Socket oneMore = first.connect("127.0.0.1")) {
                assertThat(oneMore.getInputStream().read()).isEqualTo(-1);
            }
        } finally {
            for (Socket one : silent) {
                one.close();
            }
        }
    }

    @Test
    void tenThousandGuessesLetNobodyInAndTheRightOneGetsInMeanwhile() throws IOException {
        assumeThat(OperatingSystem.current()).isEqualTo(OperatingSystem.LINUX); // has more loopback addresses
        JoinCode code = first.codes.issue();
        JoinCode guess = JoinCode.parse("0000-0000-0000-0000").orElseThrow();
        for (int i = 0; i < TryBudget.TRIES; i++) {
            try (JoinClient guessing = first.callFrom("127.0.0.2")) {
                assertThatThrownBy(() -> guessing.join(guess, first.jar, first.jars()))
                        .hasMessageContaining("the code is wrong");
            }
        }
        for (int i = TryBudget.TRIES; i < 10_000; i++) {
            try (Socket guessing = first.connect("127.0.0.2")) {
                assertThat(guessing.getInputStream().read()).isEqualTo(-1); // closed before anything is computed
            }
            if (i == 5_000) {
                first.join(code);
            }
        }
        assertThat(first.members.all()).hasSize(1);
        first.join(first.codes.issue());
    }

    @Test
    void nobodyElseReadsWhatIsKept() throws IOException {
        first.join(first.codes.issue());
        try (var files = Files.walk(directory)) {
            assertThat(files.filter(Files::isRegularFile).filter(file -> file.startsWith(directory.resolve("members"))))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    private static boolean get(Future<Boolean> outcome) {
        try {
            return outcome.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
