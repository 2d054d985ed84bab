package io.boltshuffle.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.agent.cable.PortUnit;
import io.boltshuffle.agent.cable.SimWindow;
import io.boltshuffle.agent.files.FileRange;
import io.boltshuffle.agent.files.NoBlocks;
import io.boltshuffle.agent.files.ShuffledBlocks;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows to which peers staged memory is open, and for how long, where peers read it themselves. */
class ReadablePullTest {

    private static final long SLAB_BYTES = 1 << 20;

    private final Path directory;
    private final ShuffledBlocks blocks;
    private PullFixture fixture;
    private Peer one;
    private Peer other;

    ReadablePullTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.blocks = new ShuffledBlocks(directory);
    }

    @BeforeEach
    void serve() throws Exception {
        fixture = new PullFixture(directory, SLAB_BYTES, new Source());
        one = new Peer("one");
        other = new Peer("other");
    }

    /** The pool refuses to close while anything is out. */
    @AfterEach
    void allMemoryIsBackAndNothingIsOpen() throws Exception {
        one.end();
        other.end();
        assertThat(fixture.services.budget().usedBytes()).isZero();
        fixture.close();
        blocks.close();
    }

    private final class Source extends NoBlocks {
        @Override
        public FileRange locate(String application, String executor, BlockRange block) {
            return new FileRange(directory.resolve("blocks"), null, 0, block.mapId() == 0 ? 1000 : 100_000);
        }
    }

    /** A peer that reads, with all that was ever opened to it. */
    private final class Peer implements LinkSet {
        private final SimPullCable cable = new SimPullCable(new SimLoop(), fixture.loop);
        private final SimWindow window = new SimWindow(SimPullCable.SimRange::new, Runnable::run);
        private final PullServer server;

        Peer(String name) {
            server = new PullServer(fixture.services, name, this, fixture.said::add, app -> true);
        }

        @Override
        public List<ActiveLink> up() {
            return cable.server().up().stream()
                    .map(link -> new ActiveLink(link.id(), link.link(), link.ranges(), window, link.meter()))
                    .toList();
        }

        void pull(long id, long... maps) throws Exception {
            pull(id, PullFixture.request(maps));
        }

        void pull(long id, PullRequest request) throws Exception {
            server.onPull(id, request);
            fixture.run();
        }

        void free(long id) {
            server.onFree(id);
            fixture.run();
        }

        void end() {
            server.close();
            fixture.run();
            cable.addSteps(step -> step.action().run());
            assertThat(window.openAreas()).isZero();
        }
    }

    @Test
    void theNextPullOfAPeerIsStagedInTheAreaThatTheLastOneFreed() throws Exception {
        one.pull(1, 0);
        one.free(1);
        one.pull(2, 0);

        assertThat(fixture.said).hasSize(2).allMatch(ControlMessage.Ready.class::isInstance);
        assertThat(one.window.areas()).hasSize(1);
        assertThat(one.window.openAreas()).isEqualTo(1);
    }

    @Test
    void twoPullsAtOnceHaveAnAreaEach() throws Exception {
        one.pull(1, 0);
        one.pull(2, 0);

        assertThat(one.window.areas()).hasSize(2);
        assertThat(one.window.areas().get(0)).isNotSameAs(one.window.areas().get(1));
    }

    @Test
    void anAreaIsOpenToOnePeerOnly() throws Exception {
        one.pull(1, 0);
        one.free(1);
        other.pull(1, 0);

        assertThat(other.window.areas()).hasSize(1);
        assertThat(other.window.areas().get(0)).isNotSameAs(one.window.areas().get(0));
    }

    @Test
    void aPullThatNeedsMoreThanIsKeptGetsAnAreaOfItsOwn() throws Exception {
        one.pull(1, 0);
        one.free(1);
        one.pull(2, 2);

        assertThat(one.window.areas()).hasSize(2);
        assertThat(one.window.areas().get(1).bytes()).isGreaterThanOrEqualTo(64 << 10);
    }

    /** It may read late, and must not find another pull's bytes. */
    @Test
    void anAreaIsClosedIfThePeerDidNotFreeIt() throws Exception {
        one.pull(1, 0);
        fixture.loop.fire(0);
        fixture.run();

        assertThat(one.window.openAreas()).isZero();
        one.pull(2, 0);
        assertThat(one.window.areas()).hasSize(2);
    }

    @Test
    void whatIsKeptIsClosedWhenTheSessionEnds() throws Exception {
        one.pull(1, 0);
        one.free(1);
        assertThat(one.window.openAreas()).isEqualTo(1);

        one.server.close();

        assertThat(one.window.openAreas()).isZero();
    }

    @Test
    void whatIsKeptIsClosedWhenNoPullComes() throws Exception {
        one.pull(1, 0);
        one.free(1);

        fixture.loop.fire(0);

        assertThat(one.window.openAreas()).isZero();
    }

    @Test
    void whatIsKeptIsClosedWhenAnotherPeersPullWaitsForAShare() throws Exception {
        one.pull(1, 0);
        one.free(1);
        StagingBudget.Share rest = fixture.services
                .budget()
                .tryTake(SLAB_BYTES - (16 << 10), /* isReadable= */ false)
                .orElseThrow();

        other.pull(1, 0);

        assertThat(one.window.openAreas()).isZero();
        assertThat(other.window.openAreas()).isEqualTo(1);
        rest.end();
    }

    @Test
    void notMoreAreasAreOpenThanThereAreRegionsFor() throws Exception {
        List<StagingBudget.Share> taken = new ArrayList<>();
        for (int i = 0; i < StagingBudget.MAX_READABLE; i++) {
            taken.add(
                    fixture.services.budget().tryTake(1, /* isReadable= */ true).orElseThrow());
        }
        one.pull(1, 0);
        assertThat(fixture.said).isEmpty();
        assertThat(one.window.areas()).isEmpty();

        taken.remove(0).end();
        fixture.run();

        assertThat(one.window.openAreas()).isEqualTo(1);
        taken.forEach(StagingBudget.Share::end);
    }

    @Test
    void aRegistrationThatIsRefusedIsAnsweredSoThatTcpCarriesTheBlocks() throws Exception {
        one.window.refuseAreas();

        one.pull(1, 0);

        assertThat(fixture.said).singleElement().isInstanceOfSatisfying(ControlMessage.NotReady.class, answer -> {
            assertThat(answer.reason()).isEqualTo(FailureReason.LINK_FAILED);
            assertThat(answer.detail()).contains("ibv_reg_mr: of the test");
        });
    }

    @Test
    void aLinkHasRoomForTwiceWhatIsStagedAtOnce() {
        assertThat(PortUnit.READABLE_PER_LINK).isEqualTo(2 * StagingBudget.MAX_READABLE);
    }
}
