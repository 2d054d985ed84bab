package io.boltshuffle.agent.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.agent.cable.MemoryWindow;
import io.boltshuffle.agent.cable.PortUnit;
import io.boltshuffle.agent.output.Output;
import io.boltshuffle.agent.output.Outputs;
import io.boltshuffle.agent.peer.Peer;
import io.boltshuffle.agent.stage.FileRange;
import io.boltshuffle.agent.stage.NoBlocks;
import io.boltshuffle.agent.stage.ShuffledBlocks;
import io.boltshuffle.agent.stage.StagingBudget;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.OutputLayout;
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
    private PullGround ground;
    private Peer one;
    private Peer other;

    ReadablePullTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.blocks = new ShuffledBlocks(directory);
    }

    @BeforeEach
    void serve() throws Exception {
        ground = new PullGround(directory, SLAB_BYTES, new Source());
        one = new Peer("one");
        other = new Peer("other");
    }

    /** The pool refuses to close while anything is out. */
    @AfterEach
    void allMemoryIsBackAndNothingIsOpen() throws Exception {
        one.end();
        other.end();
        assertThat(ground.services.served().budget().usedBytes()).isZero();
        ground.close();
        blocks.close();
    }

    private final class Source extends NoBlocks {
        @Override
        public FileRange locate(String application, String executor, BlockRange block) {
            return new FileRange(directory.resolve("blocks"), null, 0, block.mapId() == 0 ? 1000 : 100_000);
        }
    }

    /** A peer that reads, with all the openings that it ever had. */
    private final class Peer implements LinkSet {
        private final SimPullCable cable = new SimPullCable(new SimLoop(), ground.loop);
        private final List<Opening> openings = new ArrayList<>();
        private final PullServer server;
        private boolean refused;

        Peer(String name) {
            server = new PullServer(ground.services, name, this, ground.said::add, app -> true);
        }

        @Override
        public List<ActiveLink> up() {
            return cable.server().up().stream()
                    .map(link -> new ActiveLink(link.id(), link.link(), link.ranges(), this::open, link.meter()))
                    .toList();
        }

        private MemoryWindow.Opening open(Lease lease) throws IOException {
            if (refused) {
                throw new IOException("ibv_reg_mr: of the test");
            }
            Opening opening = new Opening(lease, cable.server().up().get(0).rangeOf(lease));
            openings.add(opening);
            return opening;
        }

        void pull(long id, long... maps) throws Exception {
            server.onPull(id, PullGround.request(maps));
            ground.run();
        }

        void free(long id) {
            server.onFree(id);
            ground.run();
        }

        long openCount() {
            return openings.stream().filter(opening -> opening.isOpen).count();
        }

        void end() {
            server.close();
            ground.run();
            cable.addSteps(step -> step.action().run());
            assertThat(openCount()).isZero();
        }
    }

    private static final class Opening implements MemoryWindow.Opening {
        private final Lease lease;
        private final RegisteredRange range;
        private boolean isOpen = true;

        Opening(Lease lease, RegisteredRange range) {
            this.lease = lease;
            this.range = range;
            lease.posted(1);
        }

        @Override
        public RegisteredRange range() {
            return range;
        }

        @Override
        public void close() {
            if (isOpen) {
                isOpen = false;
                lease.completed(1);
            }
        }
    }

    @Test
    void theNextPullOfAPeerIsStagedInTheAreaThatTheLastOneFreed() throws Exception {
        one.pull(1, 0);
        one.free(1);
        one.pull(2, 0);

        assertThat(ground.said).hasSize(2).allMatch(ControlMessage.Ready.class::isInstance);
        assertThat(one.openings).hasSize(1);
        assertThat(one.openCount()).isEqualTo(1);
    }

    @Test
    void twoPullsAtOnceHaveAnAreaEach() throws Exception {
        one.pull(1, 0);
        one.pull(2, 0);

        assertThat(one.openings).hasSize(2);
        assertThat(one.openings.get(0).lease).isNotSameAs(one.openings.get(1).lease);
    }

    @Test
    void anAreaIsOpenToOnePeerOnly() throws Exception {
        one.pull(1, 0);
        one.free(1);
        other.pull(1, 0);

        assertThat(other.openings).hasSize(1);
        assertThat(other.openings.get(0).lease).isNotSameAs(one.openings.get(0).lease);
    }

    @Test
    void aPullThatNeedsMoreThanIsKeptGetsAnAreaOfItsOwn() throws Exception {
        one.pull(1, 0);
        one.free(1);
        one.pull(2, 2);

        assertThat(one.openings).hasSize(2);
        assertThat(one.openings.get(1).lease.bytes()).isGreaterThanOrEqualTo(64 << 10);
    }

    /** It may read late, and must not find another pull's bytes. */
    @Test
    void anAreaIsClosedIfThePeerDidNotFreeIt() throws Exception {
        one.pull(1, 0);
        ground.loop.fire(0);
        ground.run();

        assertThat(one.openCount()).isZero();
        one.pull(2, 0);
        assertThat(one.openings).hasSize(2);
    }

    @Test
    void whatIsKeptIsClosedWhenTheSessionEnds() throws Exception {
        one.pull(1, 0);
        one.free(1);
        assertThat(one.openCount()).isEqualTo(1);

        one.server.close();

        assertThat(one.openCount()).isZero();
    }

    @Test
    void whatIsKeptIsClosedWhenNoPullComes() throws Exception {
        one.pull(1, 0);
        one.free(1);

        ground.loop.fire(0);

        assertThat(one.openCount()).isZero();
    }

    @Test
    void whatIsKeptIsClosedWhenAnotherPeersPullWaitsForAShare() throws Exception {
        one.pull(1, 0);
        one.free(1);
        StagingBudget.Share rest = ground.services
                .served()
                .budget()
                .tryTake(SLAB_BYTES - (16 << 10), /* isReadable= */ false)
                .orElseThrow();

        other.pull(1, 0);

        assertThat(one.openCount()).isZero();
        assertThat(other.openCount()).isEqualTo(1);
        rest.end();
    }

    @Test
    void whatIsKeptIsClosedWhenAnotherPeersPullWaitsForMemory() throws Exception {
        one.pull(1, 0);
        one.free(1);
        cableStepsOf(one);
        Lease rest = ground.lease(SLAB_BYTES - (16 << 10));

        other.pull(1, 0);

        assertThat(one.openCount()).isZero();
        assertThat(other.openCount()).isEqualTo(1);
        rest.release();
    }

    @Test
    void notMoreAreasAreOpenThanThereAreRegionsFor() throws Exception {
        List<StagingBudget.Share> taken = new ArrayList<>();
        for (int i = 0; i < StagingBudget.MAX_READABLE; i++) {
            taken.add(ground.services
                    .served()
                    .budget()
                    .tryTake(1, /* isReadable= */ true)
                    .orElseThrow());
        }
        one.pull(1, 0);
        assertThat(ground.said).isEmpty();
        assertThat(one.openings).isEmpty();

        taken.remove(0).end();
        ground.run();

        assertThat(one.openCount()).isEqualTo(1);
        taken.forEach(StagingBudget.Share::end);
    }

    @Test
    void aRegistrationThatIsRefusedIsAnsweredSoThatTcpCarriesTheBlocks() throws Exception {
        one.refused = true;

        one.pull(1, 0);

        assertThat(ground.said).singleElement().isInstanceOfSatisfying(ControlMessage.NotReady.class, answer -> {
            assertThat(answer.reason()).isEqualTo(FailureReason.LINK_FAILED);
            assertThat(answer.detail()).contains("ibv_reg_mr: of the test");
        });
    }

    /** What a peer reads by itself must be open to it, and an output is not. */
    @Test
    void aBlockOfAnOutputInMemoryIsCopiedForAPeerThatReads() throws Exception {
        Outputs outputs = ground.services.served().outputs();
        Output output = outputs.lend(PullGround.APPLICATION, PullGround.EXECUTOR, 0, ShuffledBlocks.BLOCK_BYTES)
                .orElseThrow();
        assertThat(outputs.publish(output, 0, OutputLayout.PACKED, List.of((long) ShuffledBlocks.BLOCK_BYTES)))
                .isTrue();

        one.pull(1, 0);

        assertThat(one.openings).hasSize(1);
        AgentCounters.Values counted = ground.services.counters().values();
        assertThat(counted.servedFromMemoryBytes()).isEqualTo(ShuffledBlocks.BLOCK_BYTES);
        assertThat(counted.servedInPlaceBytes()).isZero();
        outputs.forget(PullGround.APPLICATION);
        assertThat(outputs.status().usedBytes()).as("nothing holds it").isZero();
    }

    private static void cableStepsOf(Peer peer) {
        peer.cable.addSteps(step -> step.action().run());
    }

    @Test
    void aLinkHasRoomForTwiceWhatIsStagedAtOnce() {
        assertThat(PortUnit.READABLE_PER_LINK).isEqualTo(2 * StagingBudget.MAX_READABLE);
    }
}
