package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.agent.peer.HostAddresses;
import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.FetchRequest;
import io.boltshuffle.wire.BlockRange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shows by which names Spark may call a host, and to which addresses its name may lead. */
@Tag("slow")
class HostAddressTest {

    private static final String NAMED = "server-host";
    private static final String ALIVE = "127.0.0.3";
    private static final String MOVED = "127.0.0.13";
    private static final String DEAD = "127.0.0.77";

    private final Path temp;

    HostAddressTest(@TempDir Path temp) {
        this.temp = temp;
    }

    /** Spark puts brackets round IPv6 addresses; {@code localhost} may have addresses of both families. */
    @ParameterizedTest
    @ValueSource(strings = {"::1", "[::1]", "localhost"})
    void blocksComeFromAHostByAnyNameOfIts(String server) throws Exception {
        assumeHere(server);
        try (TwoAgents hosts = new TwoAgents(temp, server, Map.of())) {
            hosts.startAgents(1);
            assertBlocksCome(hosts, server, server);
        }
    }

    @Test
    void anIpv6AddressIsOneHostHoweverItIsSpelt() throws Exception {
        assumeHere("::1");
        try (TwoAgents hosts = new TwoAgents(temp, "::1", Map.of())) {
            hosts.startAgents(1);
            assertBlocksCome(hosts, "[::1]", "[0:0:0:0:0:0:0:1]");
            assertThat(hosts.status(TwoAgents.READER).at("/peers")).hasSize(1);
        }
    }

    @Test
    void aNameWhoseFirstAddressesRefuseLeadsToItsHost() throws Exception {
        try (TwoAgents hosts = new TwoAgents(temp, NAMED, Map.of())) {
            hosts.startAgent(NAMED, 1, Map.of(), knowing(ALIVE));
            hosts.startAgent(TwoAgents.READER, 1, Map.of(), knowing("127.0.0.76", DEAD, "::1", ALIVE));
            assertBlocksCome(hosts, NAMED, NAMED);
        }
    }

    @Test
    void aNameWhoseFirstAddressNeverAnswersLeadsToItsHost() throws Exception {
        try (TwoAgents hosts = new TwoAgents(temp, NAMED, Map.of());
                Mute mute = new Mute(new InetSocketAddress(DEAD, hosts.port()))) {
            assumeTrue(mute.isMute(), "this system has no limit for connections that are not accepted");
            hosts.startAgent(NAMED, 1, Map.of(), knowing(ALIVE));
            hosts.startAgent(TwoAgents.READER, 1, Map.of(), knowing(DEAD, ALIVE));
            assertBlocksCome(hosts, NAMED, NAMED);
        }
    }

    @Test
    void anAgentListensOnAllAddressesOfItsName() throws Exception {
        try (TwoAgents hosts = new TwoAgents(temp, NAMED, Map.of())) {
            hosts.startAgent(NAMED, 1, Map.of(), knowing("127.0.0.4", ALIVE));
            hosts.startAgent(TwoAgents.READER, 1, Map.of(), knowing(ALIVE));
            assertBlocksCome(hosts, NAMED, NAMED);
        }
    }

    /** A VPN does this, or a Mac that changes its network. */
    @Test
    void anAgentFollowsItsNameToAnotherAddressAndItsSessionsLiveOn() throws Exception {
        AtomicReference<String> where = new AtomicReference<>(ALIVE);
        HostAddresses names = new HostAddresses(
                host -> new InetAddress[] {InetAddress.getByName(host.equals(NAMED) ? where.get() : host)});
        try (TwoAgents hosts = new TwoAgents(temp, NAMED, Map.of())) {
            hosts.startAgent(NAMED, 1, Map.of(), names);
            hosts.startAgent(TwoAgents.READER, 1, Map.of(), names);
            assertBlocksCome(hosts, NAMED, NAMED);

            where.set(MOVED);
            await().atMost(Duration.ofSeconds(30))
                    .until(
                            () -> hosts.status(NAMED).at("/listening").asText(),
                            listening -> listening.contains(MOVED) && !listening.contains(ALIVE));
            assertThat(hosts.status(NAMED).at("/peers/0/cables/0/ups").asInt()).isEqualTo(1);
            assertBlocksCome(hosts, NAMED, NAMED);
            hosts.stopAgent(TwoAgents.READER);
            hosts.startAgent(TwoAgents.READER, 1, Map.of(), names);
            assertBlocksCome(hosts, NAMED, NAMED);
        }
    }

    /** Debian's 127.0.1.1 is such a case: other hosts know an address of the name that this one does not. */
    @Test
    void aNameThatIsOnlyLoopbackIsListenedForOnTheInterfacesToo() throws Exception {
        InetAddress outside = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .findFirst()
                .orElse(null);
        assumeTrue(outside != null, "this machine has no interface but loopback");
        assertThat(knowing("127.0.1.1").toListenOn(NAMED))
                .startsWith(InetAddress.getByName("127.0.1.1"))
                .contains(outside);
        assertThat(HostAddresses.ofSystem().toListenOn("127.0.0.2")).hasSize(1);
    }

    private static void assumeHere(String host) throws IOException {
        assumeTrue(NetworkInterface.getByInetAddress(InetAddress.getByName(host)) != null, "no " + host + " here");
    }

    /** A name service that knows one name more than the system. */
    private static HostAddresses knowing(String... addresses) {
        return new HostAddresses(host -> {
            if (!host.equals(NAMED)) {
                return InetAddress.getAllByName(host);
            }
            List<InetAddress> found = new ArrayList<>();
            for (String address : addresses) {
                found.add(InetAddress.getByName(address));
            }
            return found.toArray(InetAddress[]::new);
        });
    }

    /** The host's own executor and the other's may spell its name in different ways. */
    private static void assertBlocksCome(TwoAgents hosts, String ownName, String otherName) throws Exception {
        TwoAgents.awaitConnected(hosts.executor(ownName, "1"));
        AgentClient reader = TwoAgents.awaitConnected(hosts.executor(TwoAgents.READER, "2"));
        BlockRange block = new BlockRange(0, 1, 0, 1);
        hosts.files().write(0, 1, 100_000);
        Collected collected = new Collected(1, false);
        reader.fetch(new FetchRequest(otherName, "1", 7, List.of(block)), collected);

        assertThat(collected.await().block(0)).isEqualTo(hosts.files().expected(block));
    }

    /** A port whose queue of connections is full: a caller hears nothing. */
    private static final class Mute implements AutoCloseable {
        private static final int MORE_THAN_WAIT = 16;

        private final ServerSocketChannel server = ServerSocketChannel.open();
        private final List<SocketChannel> waiting = new ArrayList<>();

        Mute(InetSocketAddress address) throws IOException {
            server.bind(address, 1);
            for (int i = 0; i < MORE_THAN_WAIT; i++) {
                SocketChannel channel = SocketChannel.open();
                waiting.add(channel);
                channel.configureBlocking(false);
                channel.connect(address);
            }
        }

        boolean isMute() throws IOException {
            return !waiting.get(MORE_THAN_WAIT - 1).finishConnect();
        }

        @Override
        public void close() throws IOException {
            for (SocketChannel channel : waiting) {
                channel.close();
            }
            server.close();
        }
    }
}
