package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.PortName;
import io.boltshuffle.wire.PullRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows what a program learns and does that reaches an agent's control port and knows no secret. */
@Tag("slow")
class StrangerTest {

    private static final String STRANGER = "127.0.0.99";
    private static final PortName PORT = new PortName("rdma_en0", 1);

    private final TwoAgents hosts;

    StrangerTest(@TempDir Path temp) throws IOException {
        hosts = new TwoAgents(temp, Map.of());
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    @Test
    void hearsNothingButTheNameOfTheHostAndIsClosed() throws Exception {
        hosts.startAgents(1);
        OneBlock.written(hosts, 1000);
        try (HandMadePeer stranger = greet(STRANGER)) {
            assertThat(stranger.handshake().peer().agent()).isEqualTo(TwoAgents.SERVER);
            assertThat(stranger.hearToTheEnd()).hasSize(1).hasOnlyElementsOfType(ControlMessage.Refused.class);
        }
    }

    @Test
    void isClosedThoughItShowsThatItLives() throws Exception {
        hosts.startAgents(1);
        try (HandMadePeer stranger = HandMadePeer.connect(STRANGER, TwoAgents.SERVER, hosts.port())) {
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(200))
                    .untilAsserted(() -> assertThatThrownBy(() -> {
                                stranger.send(new ControlMessage.Heartbeat());
                                stranger.send(new ControlMessage.Heartbeat());
                            })
                            .isInstanceOf(IOException.class));
        }
    }

    @Test
    void getsNoLinkAndLeavesNoPeer() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, 1000);
        assertThat(block.failures()).isEmpty();
        try (HandMadePeer stranger = greet(STRANGER)) {
            stranger.send(new ControlMessage.LinkStart(1, PORT, PORT));
            assertThat(stranger.hearToTheEnd())
                    .noneMatch(message -> message instanceof ControlMessage.LinkPayload
                            || message instanceof ControlMessage.LinkEnd
                            || message instanceof ControlMessage.Ports);
        }
        assertThat(hosts.status(TwoAgents.SERVER).at("/peers")).hasSize(1);
        assertThat(hosts.status(TwoAgents.SERVER).at("/peers/0/links")).hasSize(1);
    }

    @Test
    void isNotToldWhichApplicationsAndExecutorsThereAre() throws Exception {
        hosts.startAgents(1);
        OneBlock.written(hosts, 1000);
        List<ControlMessage> ofOneThatIsThere = answersToAPullOf("1");
        assertThat(ofOneThatIsThere).isNotEmpty().isEqualTo(answersToAPullOf("of nobody"));
        assertThat(ofOneThatIsThere).hasOnlyElementsOfType(ControlMessage.Refused.class);
    }

    /** It greets once after the other; each would have taken the place of the one before. */
    @Test
    void doesNotEndTheSessionOfAHostByItsName() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, 1000);
        assertThat(block.failures()).isEmpty();
        List<HandMadePeer> strangers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            strangers.add(greet(TwoAgents.READER));
            assertThat(block.failures()).isEmpty();
        }
        assertThat(hosts.status(TwoAgents.READER).at("/counters/failedLinks")).isEmpty();
        assertThat(hosts.status(TwoAgents.SERVER).at("/counters/failedLinks")).isEmpty();
        assertThat(hosts.status(TwoAgents.READER).at("/peers/0/cables/0/ups").asInt())
                .isEqualTo(1);
        for (HandMadePeer stranger : strangers) {
            stranger.close();
        }
    }

    @Test
    void leavesNoPeersByInventedNames() throws Exception {
        hosts.startAgents(1);
        OneBlock block = OneBlock.written(hosts, 1000);
        for (int i = 0; i < 1100; i++) {
            try (HandMadePeer stranger = HandMadePeer.connect("invented-" + i, TwoAgents.SERVER, hosts.port())) {
                stranger.send(stranger.handshake().hello());
            }
        }
        assertThat(block.failures()).isEmpty();
        assertThat(hosts.status(TwoAgents.SERVER).at("/peers")).hasSize(1);
    }

    @Test
    void doesNotUseUpTheRoomOfAHostThatIsKnown() throws Exception {
        hosts.startAgents(1);
        List<HandMadePeer> silent = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            silent.add(HandMadePeer.connect(STRANGER, "127.0.0." + (100 + i % 100), TwoAgents.SERVER, hosts.port()));
            silent.add(HandMadePeer.connect(STRANGER, "127.0.0." + (100 + i % 100), TwoAgents.READER, hosts.port()));
        }
        OneBlock block = OneBlock.written(hosts, 1000);
        assertThat(block.failures()).isEmpty();
        for (HandMadePeer stranger : silent) {
            stranger.close();
        }
    }

    private HandMadePeer greet(String name) throws Exception {
        return HandMadePeer.greet(name, TwoAgents.SERVER, hosts.port());
    }

    private List<ControlMessage> answersToAPullOf(String executor) throws Exception {
        try (HandMadePeer stranger = greet(STRANGER)) {
            stranger.send(new ControlMessage.Pull(
                    1, new PullRequest(TwoAgents.APPLICATION, executor, 1000, 1 << 20, 0, List.of(OneBlock.BLOCK))));
            List<ControlMessage> answers = new ArrayList<>();
            ControlMessage next = stranger.hear();
            while (next instanceof ControlMessage.Ports) {
                next = stranger.hear();
            }
            answers.add(next);
            return answers;
        }
    }
}
