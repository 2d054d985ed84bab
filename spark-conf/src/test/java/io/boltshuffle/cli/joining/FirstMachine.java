package io.boltshuffle.cli.joining;

import io.boltshuffle.cli.base.BuildFacts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A machine that others join, at 127.0.0.1. */
final class FirstMachine implements AutoCloseable {
    static final String RELEASE = "0.2.0";
    static final JoinServer.Limits QUICK =
            new JoinServer.Limits(Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ZERO);

    final SettableClock clock = new SettableClock();
    final LiveCodes codes;
    final Members members;
    final Path jar;
    private final Path directory;
    private final JoinDesk desk;
    private final JoinServer server;
    private final ServerSocket socket;

    FirstMachine(Identity identity, Path directory, JoinServer.Limits limits) throws IOException {
        this.directory = directory;
        this.codes = new LiveCodes(directory.resolve("codes"), clock);
        this.members = new Members(directory.resolve("members"), clock);
        this.jar = Files.writeString(directory.resolve("boltshuffle-spark_2.13-0.2.0.jar"), "the jar".repeat(50_000));
        ClusterOffer offer = new ClusterOffer(
                "spark://127.0.0.1:7077",
                "http://127.0.0.1:8080",
                "4.2.0",
                "1024m",
                Map.of("spark.boltshuffle.agent.port", "7338"),
                Map.of("spark.authenticate", "true"),
                "the secret of Spark",
                jar,
                BuildFacts.sha256(jar),
                Files.size(jar));
        this.desk = new JoinDesk(RELEASE, identity.fingerprint(), offer, codes, members);
        this.socket = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        this.server = JoinServer.start(socket, identity.server(), desk, limits);
    }

    JoinDesk desk() {
        return desk;
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Calls from 127.0.0.1. */
    JoinClient call() {
        return JoinClient.call("127.0.0.1", port(), RELEASE, "mac2");
    }

    /** Calls from another address of this machine, where it has more than one. */
    JoinClient callFrom(String address) throws IOException {
        return JoinClient.over(connect(address), "127.0.0.1", RELEASE, "mac2");
    }

    @SuppressWarnings("AddressSelection") // an address has one
    Socket connect(String address) throws IOException {
        Socket plain = new Socket();
        plain.bind(new InetSocketAddress(address, 0));
        plain.connect(new InetSocketAddress("127.0.0.1", port()));
        return plain;
    }

    /** Returns a jar of another build, which the joining machine has. */
    Path ownJar() throws IOException {
        return Files.writeString(directory.resolve("own.jar"), "another build");
    }

    /** Returns where the joining machine keeps jars. */
    Path jars() throws IOException {
        return Files.createDirectories(directory.resolve("jars"));
    }

    JoinClient.Joined join(JoinCode code) throws IOException {
        try (JoinClient client = call()) {
            return client.join(code, ownJar(), jars());
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
