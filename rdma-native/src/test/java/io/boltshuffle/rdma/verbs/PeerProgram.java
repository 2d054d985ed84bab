package io.boltshuffle.rdma.verbs;

import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.QueuePairAddress;
import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.VerbsException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/**
 * One end of a conversation between two JVMs. Lines on standard input and output, relayed by the test: address out,
 * peer's address in, READY out, anything in, checksum out, anything in before it closes.
 */
final class PeerProgram {

    enum Role {
        SENDER(QueuePairType.UNRELIABLE_CONNECTED),
        RECEIVER(QueuePairType.UNRELIABLE_CONNECTED),
        WITNESS(QueuePairType.UNRELIABLE_CONNECTED),
        READER(QueuePairType.RELIABLE_CONNECTED),
        TARGET(QueuePairType.RELIABLE_CONNECTED);

        private final QueuePairType type;

        Role(QueuePairType type) {
            this.type = type;
        }
    }

    static final int MESSAGES = 200;
    static final int MESSAGE_BYTES = 16 << 10;
    static final int TOTAL_BYTES = MESSAGES * MESSAGE_BYTES;

    /** Frames in flight stay below what {@link TestEndpoint#DEPTH} asks for. */
    private static final int WINDOW = 16;

    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final Role role;
    private final TestEndpoint endpoint;

    private PeerProgram(Role role, TestEndpoint endpoint) {
        this.role = role;
        this.endpoint = endpoint;
    }

    /** @param arguments role, device, seed of the content */
    public static void main(String[] arguments) throws IOException {
        Role role = Role.valueOf(arguments[0]);
        try (TestEndpoint endpoint =
                new TestEndpoint(VirtualFabric.providerOfStartedJvm(), arguments[1], role.type, TOTAL_BYTES)) {
            new PeerProgram(role, endpoint).run(Long.parseLong(arguments[2]));
        }
    }

    private void run(long seed) throws IOException {
        if (role == Role.SENDER || role == Role.TARGET) {
            byte[] content = new byte[TOTAL_BYTES];
            new Random(seed).nextBytes(content);
            endpoint.bytes.put(0, content);
        }
        endpoint.initialize();
        out.println(describe(endpoint));
        List<String> peer = List.of(in.readLine().split(" ", -1));
        endpoint.connect(address(peer));
        if (role == Role.WITNESS) {
            endpoint.receive(0, 0, MESSAGE_BYTES);
        }
        out.println("READY");
        in.readLine();
        switch (role) {
            case SENDER, RECEIVER -> stream();
            case READER -> read(Long.parseLong(peer.get(4)), Integer.parseInt(peer.get(5)));
            case WITNESS -> out.println(endpoint.device.queryPort(1).state());
            case TARGET -> {}
        }
        CRC32C checksum = new CRC32C();
        checksum.update(endpoint.bytes.duplicate());
        out.println(Long.toHexString(checksum.getValue()));
        in.readLine();
    }

    private static String describe(TestEndpoint endpoint) throws VerbsException {
        QueuePairAddress own = endpoint.address();
        return String.join(
                " ",
                Integer.toString(own.lid()),
                Integer.toString(own.queuePairNumber()),
                Integer.toString(own.packetSequenceNumber()),
                HexFormat.of().formatHex(own.gid().toBytes()),
                Long.toString(endpoint.at(0)),
                Integer.toString(endpoint.region.remoteKey()));
    }

    private static QueuePairAddress address(List<String> words) {
        return new QueuePairAddress(
                Integer.parseInt(words.get(0)),
                Integer.parseInt(words.get(1)),
                Integer.parseInt(words.get(2)),
                Gid.of(HexFormat.of().parseHex(words.get(3))));
    }

    /** Sends or receives all messages, a window of them in flight. */
    private void stream() throws VerbsException {
        int posted = 0;
        int completed = 0;
        while (completed < MESSAGES) {
            for (; posted < MESSAGES && posted - completed < WINDOW; posted++) {
                if (role == Role.SENDER) {
                    endpoint.send(posted, posted * MESSAGE_BYTES, MESSAGE_BYTES);
                } else {
                    endpoint.receive(posted, posted * MESSAGE_BYTES, MESSAGE_BYTES);
                }
            }
            int taken = endpoint.awaitCompletions();
            for (int i = 0; i < taken; i++) {
                requireSuccess(i);
            }
            completed += taken;
        }
    }

    private void read(long remoteAddress, int remoteKey) throws VerbsException {
        endpoint.sends.addRead(1, endpoint.at(0), TOTAL_BYTES, endpoint.region.localKey(), remoteAddress, remoteKey);
        endpoint.queuePair.post(endpoint.sends);
        endpoint.awaitCompletions();
        requireSuccess(0);
    }

    private void requireSuccess(int completion) {
        if (endpoint.completions.status(completion) != 0) {
            throw new AssertionError(role + ": completion of " + endpoint.completions.workRequestId(completion)
                    + " with status " + endpoint.completions.status(completion));
        }
    }
}
