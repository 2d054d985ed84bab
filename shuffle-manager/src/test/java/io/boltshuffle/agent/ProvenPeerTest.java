package io.boltshuffle.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.peer.Handshake;
import io.boltshuffle.client.AgentClient;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows what a program gets that speaks to an agent, and proves an application's secret or pretends to. */
@Tag("slow")
class ProvenPeerTest {

    private static final String STRANGER = "127.0.0.99";
    private static final String OTHER = "app-2";
    private static final Secret SECRET_OF_OTHER = Secret.of("another".getBytes(UTF_8));
    private static final BlockRange BLOCK = new BlockRange(0, 1, 0, 1);

    private final TwoAgents hosts;

    ProvenPeerTest(@TempDir Path temp) throws IOException {
        hosts = new TwoAgents(temp, Map.of());
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    @Test
    void aProofIsAnsweredWithOneAndThenWithPorts() throws Exception {
        hosts.startAgent(TwoAgents.SERVER, 1, Map.of());
        TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "1"));
        try (HandMadePeer peer = greet(STRANGER)) {
            prove(peer, proof(peer, TwoAgents.APPLICATION, TwoAgents.SECRET));
            Opaque expected = peer.handshake().proofOfPeer(TwoAgents.APPLICATION, TwoAgents.SECRET);
            assertThat(peer.hear()).isEqualTo(new ControlMessage.ApplicationAnswers(List.of(expected), List.of()));
            assertThat(peer.hear()).isInstanceOf(ControlMessage.Ports.class);
        }
    }

    @Test
    void aWrongSecretAndAnUnknownApplicationAreRefusedInTheSameWords() throws Exception {
        hosts.startAgent(TwoAgents.SERVER, 1, Map.of());
        TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "1"));
        List<ControlMessage> ofAWrongSecret = answersTo(TwoAgents.APPLICATION, SECRET_OF_OTHER);
        assertThat(ofAWrongSecret).hasSize(1).hasOnlyElementsOfType(ControlMessage.Refused.class);
        assertThat(answersTo("of nobody", SECRET_OF_OTHER)).isEqualTo(ofAWrongSecret);
        assertThat(hosts.status(TwoAgents.SERVER).at("/peers")).isEmpty();
    }

    @Test
    void aReplayedProofIsRefused() throws Exception {
        hosts.startAgent(TwoAgents.SERVER, 1, Map.of());
        TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "1"));
        try (HandMadePeer first = greet(STRANGER);
                HandMadePeer second = greet(STRANGER)) {
            Opaque proof = proof(first, TwoAgents.APPLICATION, TwoAgents.SECRET);
            prove(first, proof);
            assertThat(first.hear()).isInstanceOf(ControlMessage.ApplicationAnswers.class);
            prove(second, proof);
            assertThat(second.hearToTheEnd()).hasSize(1).hasOnlyElementsOfType(ControlMessage.Refused.class);
        }
    }

    /**
     * It has the proofs from the agent itself, which called it, and sends them back on that connection and on its own.
     */
    @Test
    void aReflectedProofIsRefused() throws Exception {
        hosts.startAgent(TwoAgents.READER, 1, Map.of());
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(TwoAgents.SERVER, hosts.port()))) {
            AgentClient reader = TwoAgents.awaitConnected(hosts.executor(TwoAgents.READER, "2"));
            reader.expect(List.of(TwoAgents.SERVER));
            try (HandMadePeer called = HandMadePeer.over(server.accept(), TwoAgents.SERVER, Handshake.End.ACCEPTOR);
                    HandMadePeer calling = HandMadePeer.greet(TwoAgents.SERVER, TwoAgents.READER, hosts.port())) {
                called.greet();
                ControlMessage.ApplicationProofs proofs = (ControlMessage.ApplicationProofs) called.hear();
                assertThat(proofs.macs()).hasSize(1);
                called.send(new ControlMessage.ApplicationAnswers(proofs.macs(), List.of()));
                assertThat(called.hearToTheEnd()).hasSize(1).hasOnlyElementsOfType(ControlMessage.Refused.class);
                calling.send(proofs);
                assertThat(calling.hearToTheEnd()).hasSize(1).hasOnlyElementsOfType(ControlMessage.Refused.class);
            }
        }
    }

    @Test
    void anotherApplicationsSecretOpensThatApplicationOnly() throws Exception {
        hosts.startAgent(TwoAgents.SERVER, 1, Map.of());
        TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "1"));
        TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "5", OTHER, SECRET_OF_OTHER));
        try (HandMadePeer peer = greet(STRANGER)) {
            prove(peer, proof(peer, OTHER, SECRET_OF_OTHER));
            assertThat(peer.hear()).isInstanceOf(ControlMessage.ApplicationAnswers.class);
            for (String executor : List.of("1", "of nobody")) {
                peer.send(pullOf(TwoAgents.APPLICATION, executor));
                assertThat(nextNotReady(peer).reason()).isEqualTo(FailureReason.REFUSED);
            }
            peer.send(pullOf(OTHER, "of nobody"));
            assertThat(nextNotReady(peer).reason()).isEqualTo(FailureReason.UNKNOWN_EXECUTOR);
        }
    }

    @Test
    void anotherApplicationsSecretDoesNotTakeThePlaceOfALivingSession() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, 1000);
        TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "5", OTHER, SECRET_OF_OTHER));
        assertThat(block.failures()).isEmpty();
        try (HandMadePeer peer = greet(TwoAgents.READER)) {
            prove(peer, proof(peer, OTHER, SECRET_OF_OTHER));
            assertThat(peer.hearToTheEnd())
                    .last()
                    .isInstanceOfSatisfying(
                            ControlMessage.Refused.class,
                            refused -> assertThat(refused.detail()).contains("is connected"));
        }
        assertThat(block.failures()).isEmpty();
        assertThat(hosts.status(TwoAgents.SERVER).at("/peers/0/cables/0/ups").asInt())
                .isEqualTo(1);
    }

    /** It is believed until the host comes with the same application's secret: a name is not proven by itself. */
    @Test
    void theNameOfAHostWithoutASessionIsBelieved() throws Exception {
        hosts.startAgent(TwoAgents.SERVER, 1, Map.of());
        TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "1"));
        TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "5", OTHER, SECRET_OF_OTHER));
        try (HandMadePeer pretender = greet(TwoAgents.READER)) {
            prove(pretender, proof(pretender, OTHER, SECRET_OF_OTHER));
            assertThat(pretender.hear()).isInstanceOf(ControlMessage.ApplicationAnswers.class);
            assertThat(hosts.status(TwoAgents.SERVER).at("/peers/0/host").asText())
                    .isEqualTo(TwoAgents.READER);
            pretender.send(pullOf(TwoAgents.APPLICATION, "1"));
            assertThat(nextNotReady(pretender).reason()).isEqualTo(FailureReason.REFUSED);
        }
    }

    @Test
    void linksAreBuiltOnlyOverPortsThatTheAgentPairsItself() throws Exception {
        hosts.startAgent(TwoAgents.SERVER, 2, Map.of());
        TwoAgents.awaitConnected(hosts.executor(TwoAgents.SERVER, "1"));
        try (HandMadePeer peer = greet(TwoAgents.READER)) {
            prove(peer, proof(peer, TwoAgents.APPLICATION, TwoAgents.SECRET));
            assertThat(peer.hear()).isInstanceOf(ControlMessage.ApplicationAnswers.class);
            assertThat(peer.hear()).isInstanceOf(ControlMessage.Ports.class);
            peer.send(new ControlMessage.Ports(List.of(facing("rdma_en0", 0))));
            peer.send(start(1, "rdma_en0", "rdma_en1"));
            assertThat(peer.hear())
                    .isInstanceOfSatisfying(
                            ControlMessage.LinkEnd.class,
                            end -> assertThat(end.detail()).contains("does not face"));
            peer.send(start(2, "rdma_en0", "an invented one"));
            assertThat(peer.hear()).isInstanceOf(ControlMessage.LinkEnd.class);
            peer.send(start(3, "rdma_en0", "rdma_en0"));
            assertThat(peer.hear()).isInstanceOf(ControlMessage.LinkPayload.class);
        }
    }

    private static PortFacts facing(String device, int cable) {
        return new PortFacts(
                new PortName(device, 1),
                "FAKE",
                TwoAgents.READER + "/" + cable,
                TwoAgents.SERVER + "/" + cable,
                List.of(),
                List.of());
    }

    private static ControlMessage.LinkStart start(int id, String near, String far) {
        return new ControlMessage.LinkStart(id, new PortName(near, 1), new PortName(far, 1));
    }

    private HandMadePeer greet(String name) throws Exception {
        return HandMadePeer.greet(name, TwoAgents.SERVER, hosts.port());
    }

    private List<ControlMessage> answersTo(String application, Secret secret) throws Exception {
        try (HandMadePeer peer = greet(STRANGER)) {
            prove(peer, proof(peer, application, secret));
            return peer.hearToTheEnd();
        }
    }

    private static Opaque proof(HandMadePeer peer, String application, Secret secret) {
        return peer.handshake().proveApplication(application, secret);
    }

    private static void prove(HandMadePeer peer, Opaque proof) throws IOException {
        peer.send(new ControlMessage.ApplicationProofs(List.of(proof)));
    }

    private static ControlMessage.Pull pullOf(String application, String executor) {
        return new ControlMessage.Pull(1, new PullRequest(application, executor, 1000, 1 << 20, 0, List.of(BLOCK)));
    }

    private static ControlMessage.NotReady nextNotReady(HandMadePeer peer) throws Exception {
        ControlMessage next = peer.hear();
        while (!(next instanceof ControlMessage.NotReady)) {
            next = peer.hear();
        }
        return (ControlMessage.NotReady) next;
    }
}
