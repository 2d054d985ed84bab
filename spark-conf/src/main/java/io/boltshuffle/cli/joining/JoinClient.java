package io.boltshuffle.cli.joining;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.BuildFacts;
import io.boltshuffle.cli.joining.JoinMessage.Answer;
import io.boltshuffle.cli.joining.JoinMessage.Grant;
import io.boltshuffle.cli.joining.JoinMessage.Greeting;
import io.boltshuffle.cli.joining.JoinMessage.Pick;
import io.boltshuffle.cli.joining.JoinMessage.Request;
import io.boltshuffle.cli.joining.JoinMessage.Wish;
import io.boltshuffle.wire.Secret;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Calls the first machine.
 *
 * <p><b>Threads:</b> the caller's.
 *
 * <p><b>Ownership:</b> closing it closes the socket.
 */
public final class JoinClient implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int ANSWER_MILLIS = 30_000;

    private final String host;
    private final String release;
    private final String name;
    private final SSLSocket socket;

    private JoinClient(String host, String release, String name, SSLSocket socket) {
        this.host = host;
        this.release = release;
        this.name = name;
        this.socket = socket;
    }

    /**
     * The secret of the caller: a code, or the key of a member.
     *
     * @param fingerprint of the certificate that the first machine had before or says it has; empty if none is known
     */
    private record Known(String member, Secret secret, String fingerprint) {
        static Known of(Membership membership) {
            return new Known(membership.id(), membership.secret(), membership.fingerprint());
        }
    }

    /**
     * The outcome of joining.
     *
     * @param offer with a jar of this machine that is byte for byte that of the first one
     * @param membership to be kept for the next time
     * @param here the address of this machine that leads to the first one
     */
    public record Joined(ClusterOffer offer, Membership membership, Fingerprint fingerprint, InetAddress here) {}

    /**
     * @param name of this machine, for people
     * @throws BoltException if no machine answers there
     */
    public static JoinClient call(String host, int port, String release, String name) {
        try {
            return over(connect(host, port), host, release, name);
        } catch (IOException e) {
            throw explain(host + ":" + port, e);
        }
    }

    /**
     * Tries all addresses of a name, as a Mac has one in each network. Those that each end of a cable gives itself come
     * last: Spark should not depend on a cable.
     */
    private static Socket connect(String host, int port) throws IOException {
        IOException first = null;
        for (InetAddress address : Stream.of(InetAddress.getAllByName(host))
                .sorted(Comparator.comparing(InetAddress::isLinkLocalAddress)
                        .thenComparing(candidate -> !(candidate instanceof Inet4Address)))
                .toList()) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
                return socket;
            } catch (IOException e) {
                closeQuietly(socket);
                first = first == null ? e : first;
            }
        }
        throw first == null ? new UnknownHostException(host) : first;
    }

    /** The same over a connection that is there. */
    static JoinClient over(Socket plain, String host, String release, String name) throws IOException {
        SSLSocket socket = (SSLSocket) anyCertificate()
                .getSocketFactory()
                .createSocket(plain, plain.getInetAddress().getHostAddress(), plain.getPort(), true);
        socket.setEnabledProtocols(new String[] {Identity.TLS});
        socket.setSoTimeout(ANSWER_MILLIS);
        return new JoinClient(host, release, name, socket);
    }

    /** The certificate is believed because of the proof, which covers it. */
    private static SSLContext anyCertificate() {
        TrustManager any = new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String kind) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String kind) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
        try {
            SSLContext context = SSLContext.getInstance(Identity.TLS);
            context.init(null, new TrustManager[] {any}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * @param own this machine's own jar of the plugin, which is taken if it is the same
     * @param jars where another one goes
     */
    public Joined join(JoinCode code, Path own, Path jars) {
        return join(new Known("", Secret.of(code.key()), ""), own, jars);
    }

    /**
     * Joins a machine that was announced, by a code.
     *
     * @param announced fingerprint; a machine with another certificate gets no proof
     */
    public Joined join(JoinCode code, Fingerprint announced, Path own, Path jars) {
        return join(new Known("", Secret.of(code.key()), announced.hex()), own, jars);
    }

    /** Comes back by the key that this machine got. */
    public Joined rejoin(Membership membership, Path own, Path jars) {
        return join(Known.of(membership), own, jars);
    }

    /** Says that this machine leaves, and whether its key is to be forgotten. */
    public void leave(Membership membership, boolean forget) {
        try {
            ask(forget ? Wish.FORGET : Wish.LEAVE, Known.of(membership));
        } catch (IOException e) {
            throw explain(host, e);
        }
    }

    private Joined join(Known known, Path own, Path jars) {
        try {
            Grant grant = Objects.requireNonNull(ask(Wish.JOIN, known).grant(), "no grant");
            Fingerprint seen = fingerprint();
            return new Joined(
                    grant.offer(jar(grant, own, jars)),
                    new Membership(host, socket.getPort(), seen.hex(), grant.member(), grant.key()),
                    seen,
                    socket.getLocalAddress());
        } catch (IOException e) {
            throw explain(host, e);
        }
    }

    private Answer ask(Wish wish, Known known) throws IOException {
        Greeting greeting = JoinMessage.read(in(), Greeting.class, JoinMessage.MOST_BYTES_OF_STRANGERS);
        if (greeting.version() != JoinMessage.VERSION || !greeting.release().equals(release)) {
            throw refused(JoinDesk.otherRelease(greeting.release(), release));
        }
        if (!known.fingerprint().isEmpty()
                && !known.fingerprint().equals(fingerprint().hex())) {
            throw refused(
                    known.member().isEmpty()
                            ? "its certificate is not the one that was announced: somebody announces what is not true;"
                                    + " type the whole line that bolt up printed"
                            : "its certificate is not the one that it had when this machine joined: it is another"
                                    + " machine, or has forgotten this one; 'bolt up --code' there prints a line with"
                                    + " a code");
        }
        Request unproven = new Request(
                JoinMessage.VERSION, release, JoinProof.nonce(new SecureRandom()), wish, known.member(), name, "");
        JoinMessage.write(
                out(),
                new Request(
                        unproven.version(),
                        unproven.release(),
                        unproven.nonce(),
                        wish,
                        known.member(),
                        name,
                        JoinProof.ofCaller(known.secret(), greeting, unproven, fingerprint())));
        Answer answer = JoinMessage.read(in(), Answer.class, JoinMessage.MOST_BYTES);
        if (!answer.refusal().isEmpty()) {
            throw refused(answer.refusal());
        }
        if (!JoinProof.isOfHost(answer.proof(), known.secret(), greeting, unproven, fingerprint())) {
            throw refused("it does not know the code or key itself, so it is not the machine that it should be:"
                    + " look who has this address");
        }
        return answer;
    }

    private Path jar(Grant grant, Path own, Path jars) throws IOException {
        if (BuildFacts.sha256(own).equals(grant.jarSha256())) {
            JoinMessage.write(out(), new Pick(false));
            return own;
        }
        JoinMessage.write(out(), new Pick(true));
        Path fresh = Files.createTempFile(jars, ".jar-", "");
        try {
            try (OutputStream file = Files.newOutputStream(fresh)) {
                copy(grant.jarBytes(), file);
            }
            if (!BuildFacts.sha256(fresh).equals(grant.jarSha256())) {
                throw refused("the plugin's jar arrived damaged: try again");
            }
            // The name is the other machine's, and becomes no path.
            Path jar = jars.resolve(Path.of(grant.jarName()).getFileName());
            return Files.move(fresh, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private void copy(long bytes, OutputStream file) throws IOException {
        byte[] piece = new byte[64 << 10];
        for (long left = bytes; left > 0; ) {
            int read = in().read(piece, 0, (int) Math.min(left, piece.length));
            if (read < 0) {
                throw new EOFException("the plugin's jar ended " + left + " bytes early");
            }
            file.write(piece, 0, read);
            left -= read;
        }
    }

    /** Returns the connection, for tests that say what no client says. */
    SSLSocket socket() {
        return socket;
    }

    private Fingerprint fingerprint() throws IOException {
        return Fingerprint.of(socket.getSession().getPeerCertificates()[0]);
    }

    private InputStream in() throws IOException {
        return socket.getInputStream();
    }

    private OutputStream out() throws IOException {
        return socket.getOutputStream();
    }

    private BoltException refused(String sentence) {
        return BoltException.failed(host + " refuses: " + sentence);
    }

    private static BoltException explain(String place, IOException e) {
        if (e instanceof UnknownHostException) {
            return BoltException.environment(
                    "no machine is known here as " + place, "give its address in place of its name");
        }
        if (e instanceof ConnectException || e instanceof NoRouteToHostException) {
            return BoltException.environment(
                    "nothing answers at " + place + " (" + e.getMessage() + ")",
                    "run bolt up there, and let its firewall admit java");
        }
        if (e instanceof SocketTimeoutException) {
            return BoltException.environment(
                    place + " does not answer in time", "see that its firewall admits java, then try again");
        }
        if (e instanceof EOFException || e instanceof SSLException || e instanceof java.net.SocketException) {
            return BoltException.failed(place + " closed the connection (" + e.getMessage()
                    + "): after " + TryBudget.TRIES + " wrong tries an address waits a minute; is it the port that"
                    + " bolt up printed?");
        }
        return BoltException.failed("talking to " + place + " failed: " + e.getMessage());
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It was of no use.
        }
    }

    @Override
    public void close() {
        closeQuietly(socket);
    }
}
