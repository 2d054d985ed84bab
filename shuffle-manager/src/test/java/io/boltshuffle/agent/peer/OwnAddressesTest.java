package io.boltshuffle.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.testing.SimLoop;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Shows where an agent listens while its host's name moves. */
class OwnAddressesTest {

    private static final Duration LOOK = Duration.ofNanos(OwnAddresses.LOOK_NANOS);
    private static final String OLD = "10.0.0.1";
    private static final String NEW = "10.0.0.2";

    private final SimLoop loop = new SimLoop();
    private final Set<String> listening = new TreeSet<>();
    private final Set<String> refused = new HashSet<>();
    private final List<CompletableFuture<List<InetAddress>>> asked = new ArrayList<>();
    private final OwnAddresses own = new OwnAddresses("mac1", loop, this::ask, this::listen);

    @Test
    void anAgentFollowsItsNameAndGivesTheOldAddressUp() throws Exception {
        startAt(OLD);
        found(OLD);
        assertThat(listening).containsExactly(OLD);
        found(NEW);
        assertThat(listening).containsExactly(NEW);
        assertThat(own.listening()).containsExactly(NEW);
        assertThat(own.trouble()).isEmpty();
    }

    @Test
    void aNameThatGetsAnotherAddressBesidesIsHeardAtBoth() throws Exception {
        startAt(OLD);
        found(NEW, OLD);
        assertThat(listening).containsExactly(OLD, NEW);
    }

    @Test
    void whereNoneOfItsAddressesCanBeHadTheAgentStaysAndSaysWhyItIsNotFound() throws Exception {
        refused.add(NEW);
        startAt(OLD);
        found(NEW);
        assertThat(listening).containsExactly(OLD);
        assertThat(own.trouble())
                .isEqualTo("the agent of mac1 listens on 10.0.0.1, and that name now leads to 10.0.0.2, where it cannot"
                        + " listen: no such address here");
        refused.clear();
        found(NEW);
        assertThat(listening).containsExactly(NEW);
        assertThat(own.trouble()).isEmpty();
    }

    @Test
    void anAddressThatCannotBeHadKeepsNoOtherFromBeingTaken() throws Exception {
        refused.add("10.0.0.9");
        startAt(OLD);
        found("10.0.0.9", NEW);
        assertThat(listening).containsExactly(NEW);
        assertThat(own.trouble()).isEmpty();
    }

    @Test
    void aNameThatNobodyKnowsForAWhileChangesNothing() throws Exception {
        startAt(OLD);
        asked.remove(0).completeExceptionally(new UnknownHostException("mac1"));
        loop.advance(LOOK);
        assertThat(listening).containsExactly(OLD);
        assertThat(own.trouble()).isEmpty();
        found(NEW);
        assertThat(listening).containsExactly(NEW);
    }

    @Test
    void aNameServiceThatDoesNotAnswerIsAskedOnce() throws Exception {
        startAt(OLD);
        loop.advance(Duration.ofHours(1));
        assertThat(asked).hasSize(1);
        assertThat(listening).containsExactly(OLD);
    }

    @Test
    void nothingListensOnceItIsClosed() throws Exception {
        startAt(OLD);
        own.close();
        asked.remove(0).complete(List.of(InetAddress.getByName(NEW)));
        loop.advance(LOOK.multipliedBy(10));
        assertThat(listening).isEmpty();
        assertThat(asked).isEmpty();
    }

    private void startAt(String address) throws Exception {
        Map<InetAddress, Closeable> open = new LinkedHashMap<>();
        InetAddress parsed = InetAddress.getByName(address);
        open.put(parsed, listen(parsed));
        own.start(open);
    }

    /** Answers the look-up that is under way, and lets the time of the next one come. */
    private void found(String... addresses) throws Exception {
        List<InetAddress> found = new ArrayList<>();
        for (String address : addresses) {
            found.add(InetAddress.getByName(address));
        }
        asked.remove(0).complete(found);
        loop.advance(LOOK);
        assertThat(asked).hasSize(1);
    }

    private CompletableFuture<List<InetAddress>> ask() {
        CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
        asked.add(answer);
        return answer;
    }

    private Closeable listen(InetAddress address) throws IOException {
        String text = address.getHostAddress();
        if (refused.contains(text)) {
            throw new IOException("no such address here");
        }
        assertThat(listening.add(text)).as("%s was free", text).isTrue();
        return () -> listening.remove(text);
    }
}
