package io.boltshuffle.agent.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.agent.cable.PortUnit;
import io.boltshuffle.agent.cable.SimWindow;
import io.boltshuffle.agent.output.Output;
import io.boltshuffle.agent.output.Outputs;
import io.boltshuffle.agent.stage.FileRange;
import io.boltshuffle.agent.stage.NoBlocks;
import io.boltshuffle.agent.stage.ShuffledBlocks;
import io.boltshuffle.agent.stage.StagingBudget;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.OutputLayout;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.Stripe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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

    /** A peer that reads, with all that was ever opened to it. */
    private final class Peer implements LinkSet {
        private final SimPullCable cable = new SimPullCable(new SimLoop(), ground.loop);
        private final SimWindow window = new SimWindow(SimPullCable.SimRange::new, Runnable::run);
        private final PullServer server;

        Peer(String name) {
            server = new PullServer(ground.services, name, this, ground.said::add, app -> true);
        }

        @Override
        public List<ActiveLink> up() {
            return cable.server().up().stream()
                    .map(link -> new ActiveLink(link.id(), link.link(), link.ranges(), window, link.meter()))
                    .toList();
        }

        void pull(long id, long... maps) throws Exception {
            pull(id, PullGround.request(maps));
        }

        void pull(long id, PullRequest request) throws Exception {
            server.onPull(id, request);
            ground.run();
        }

        void free(long id) {
            server.onFree(id);
            ground.run();
        }

        /** Reads what the last answer offers, each stripe into a frame of its own. */
        byte[] read(ControlMessage.Ready ready) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (Stripe stripe : ready.stripes()) {
                all.writeBytes(cable.fetched(stripe, ground));
            }
            return all.toByteArray();
        }

        void end() {
            server.close();
            ground.run();
            cable.addSteps(step -> step.action().run());
            assertThat(window.openAreas()).isZero();
        }
    }

    @Test
    void theNextPullOfAPeerIsStagedInTheAreaThatTheLastOneFreed() throws Exception {
        one.pull(1, 0);
        one.free(1);
        one.pull(2, 0);

        assertThat(ground.said).hasSize(2).allMatch(ControlMessage.Ready.class::isInstance);
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
        ground.loop.fire(0);
        ground.run();

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

        ground.loop.fire(0);

        assertThat(one.window.openAreas()).isZero();
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

        assertThat(one.window.openAreas()).isZero();
        assertThat(other.window.openAreas()).isEqualTo(1);
        rest.end();
    }

    @Test
    void whatIsKeptIsClosedWhenAnotherPeersPullWaitsForMemory() throws Exception {
        one.pull(1, 0);
        one.free(1);
        cableStepsOf(one);
        Lease rest = ground.lease(SLAB_BYTES - (16 << 10));

        other.pull(1, 0);

        assertThat(one.window.openAreas()).isZero();
        assertThat(other.window.openAreas()).isEqualTo(1);
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
        assertThat(one.window.areas()).isEmpty();

        taken.remove(0).end();
        ground.run();

        assertThat(one.window.openAreas()).isEqualTo(1);
        taken.forEach(StagingBudget.Share::end);
    }

    @Test
    void aRegistrationThatIsRefusedIsAnsweredSoThatTcpCarriesTheBlocks() throws Exception {
        one.window.refuseAreas();

        one.pull(1, 0);

        assertThat(ground.said).singleElement().isInstanceOfSatisfying(ControlMessage.NotReady.class, answer -> {
            assertThat(answer.reason()).isEqualTo(FailureReason.LINK_FAILED);
            assertThat(answer.detail()).contains("ibv_reg_mr: of the test");
        });
    }

    @Test
    void aPeerReadsABlockOfAnOutputWhereItLies() throws Exception {
        publish(0, OutputLayout.PACKED, ShuffledBlocks.BLOCK_BYTES);

        one.pull(1, 0);

        assertThat(one.window.areas()).as("nothing is staged").isEmpty();
        assertThat(one.window.outputs()).containsExactly((long) ShuffledBlocks.BLOCK_BYTES);
        assertThat(one.read(lastReady())).isEqualTo(content(0, 0, ShuffledBlocks.BLOCK_BYTES));
        AgentCounters.Values counted = ground.services.counters().values();
        assertThat(counted.servedFromMemoryBytes()).isEqualTo(ShuffledBlocks.BLOCK_BYTES);
        assertThat(counted.servedInPlaceBytes()).isEqualTo(ShuffledBlocks.BLOCK_BYTES);
        one.free(1);
        endOutputs();
    }

    /** It stays open between pulls, and is closed before the memory is another's. */
    @Test
    void anOutputIsOpenedOnceForAllPeersOfAPortUntilItEnds() throws Exception {
        publish(0, OutputLayout.PACKED, ShuffledBlocks.BLOCK_BYTES);
        one.pull(1, 0);
        one.free(1);
        one.pull(2, 0);
        assertThat(one.window.outputs()).hasSize(1);

        outputs().withdraw(PullGround.APPLICATION, 0);
        assertThat(one.window.openOutputs()).as("while a peer reads it").isEqualTo(1);
        assertThat(one.read(lastReady())).isEqualTo(content(0, 0, ShuffledBlocks.BLOCK_BYTES));
        one.free(2);

        assertThat(one.window.openOutputs()).isZero();
        cableStepsOf(one);
        assertThat(ground.pool.snapshot().usedBytes()).isZero();
    }

    @Test
    void anOutputThatMakesRoomIsClosedToItsReaders() throws Exception {
        publish(0, OutputLayout.PACKED, ShuffledBlocks.BLOCK_BYTES);
        one.pull(1, 0);
        outputs().makeRoom(SLAB_BYTES);
        assertThat(outputs().status().evicted()).as("while it is read").isZero();
        one.free(1);

        outputs().makeRoom(SLAB_BYTES);

        assertThat(outputs().status().evicted()).isEqualTo(1);
        assertThat(one.window.openOutputs()).isZero();
        endOutputs();
    }

    @Test
    void blocksThatFollowEachOtherInAnOutputAreReadTogether() throws Exception {
        publish(0, OutputLayout.PACKED, 10_001, 50_000, 0, 40_000, 7_000);
        PullRequest request = request(new BlockRange(0, 0, 1, 2), new BlockRange(0, 0, 3, 4));

        one.pull(1, request);

        assertThat(one.window.areas()).as("nothing is staged").isEmpty();
        ControlMessage.Ready ready = lastReady();
        assertThat(ready.slices())
                .containsExactly(new BlockSlice(0, 0, 50_000, 50_000), new BlockSlice(1, 0, 40_000, 40_000));
        assertThat(ready.stripes()).hasSize(1);
        assertThat(ReadyCheck.of(request, ready).memoryBytes()).isEqualTo(90_000);
        assertThat(one.read(ready)).isEqualTo(content(0, 10_001, 90_000));
        one.free(1);
        endOutputs();
    }

    /** What lay there before the output, between its partitions and behind them, belonged to others. */
    @Test
    void nothingOfWhatWasInTheMemoryBeforeIsOpenToAPeer() throws Exception {
        byte[] others = new byte[20 * Lease.FRAME_BYTES];
        Arrays.fill(others, (byte) 99);
        ground.pool.slab().view(0, others.length).put(others);
        Output output = publish(0, OutputLayout.FRAMED, 100, 65_536, 30);
        ByteBuffer memory = ground.pool.slab().view(output.slabOffset(), 18 * Lease.FRAME_BYTES);
        assertThat(memory.get(101)).as("before it is opened").isEqualTo((byte) 99);

        one.pull(1, request(new BlockRange(0, 0, 1, 2)));

        assertThat(one.window.outputs()).containsExactly(17L * Lease.FRAME_BYTES + 30);
        byte[] expected = new byte[18 * Lease.FRAME_BYTES];
        System.arraycopy(content(0, 0, 100), 0, expected, 0, 100);
        System.arraycopy(content(0, 100, 65_536), 0, expected, Lease.FRAME_BYTES, 65_536);
        System.arraycopy(content(0, 65_636, 30), 0, expected, 17 * Lease.FRAME_BYTES, 30);
        byte[] there = new byte[expected.length];
        memory.get(there);
        assertThat(there).isEqualTo(expected);
        one.free(1);
        endOutputs();
    }

    @Test
    void whatAPortDoesNotOpenIsCopied() throws Exception {
        one.window.refuseOutputs();
        publish(0, OutputLayout.PACKED, ShuffledBlocks.BLOCK_BYTES);

        one.pull(1, 0);

        assertThat(one.window.areas()).hasSize(1);
        assertThat(one.read(lastReady())).isEqualTo(content(0, 0, ShuffledBlocks.BLOCK_BYTES));
        AgentCounters.Values counted = ground.services.counters().values();
        assertThat(counted.servedFromMemoryBytes()).isEqualTo(ShuffledBlocks.BLOCK_BYTES);
        assertThat(counted.servedInPlaceBytes()).isZero();
        outputs().forget(PullGround.APPLICATION);
        assertThat(outputs().status().usedBytes()).as("nothing holds it").isZero();
        one.free(1);
        endOutputs();
    }

    /** Which takes an area for the one and none for the other, and a share of the budget for each. */
    @Test
    void whatIsStagedArrivesBesideWhatIsReadInAnOutput() throws Exception {
        publish(2, OutputLayout.PACKED, ShuffledBlocks.BLOCK_BYTES);

        one.pull(1, 0, 2, 0);

        ControlMessage.Ready ready = lastReady();
        assertThat(ready.failures()).isEmpty();
        assertThat(one.window.areas()).hasSize(1);
        assertThat(one.window.outputs()).hasSize(1);
        assertThat(ReadyCheck.of(PullGround.request(0, 2, 0), ready).bytes())
                .isEqualTo(2 * 1_000 + ShuffledBlocks.BLOCK_BYTES);
        byte[] expected = new byte[2_000 + ShuffledBlocks.BLOCK_BYTES];
        Arrays.fill(expected, 0, 1_000, (byte) 1);
        System.arraycopy(content(2, 0, ShuffledBlocks.BLOCK_BYTES), 0, expected, 1_000, ShuffledBlocks.BLOCK_BYTES);
        Arrays.fill(expected, 1_000 + ShuffledBlocks.BLOCK_BYTES, expected.length, (byte) 1);
        assertThat(one.read(ready)).isEqualTo(expected);
        assertThat(ground.services.served().budget().usedBytes())
                .as("the area, and what is read in the output")
                .isEqualTo((16 << 10) + ShuffledBlocks.BLOCK_BYTES);
        one.free(1);
        assertThat(ground.services.served().budget().usedBytes())
                .as("the area, which is kept")
                .isEqualTo(16 << 10);
        endOutputs();
    }

    /** It waits for all its memory at once, and holds no output meanwhile. */
    @Test
    void aPullThatCannotBeStagedNowReadsNothingWhereItLies() throws Exception {
        publish(2, OutputLayout.PACKED, 100_000);
        List<StagingBudget.Share> taken = new ArrayList<>();
        for (int i = 0; i < StagingBudget.MAX_READABLE; i++) {
            taken.add(ground.services
                    .served()
                    .budget()
                    .tryTake(1, /* isReadable= */ true)
                    .orElseThrow());
        }

        one.pull(1, 0, 2);
        assertThat(ground.said).isEmpty();
        outputs().makeRoom(1);
        assertThat(outputs().status().evicted()).as("it is not held").isEqualTo(1);
        taken.forEach(StagingBudget.Share::end);
        ground.run();

        assertThat(lastReady().failures()).isEmpty();
        assertThat(one.window.areas()).hasSize(1);
        one.free(1);
        endOutputs();
    }

    private Outputs outputs() {
        return ground.services.served().outputs();
    }

    private Output publish(long map, OutputLayout layout, int... lengths) {
        int bytes = Arrays.stream(lengths).sum();
        Output output = outputs()
                .lend(PullGround.APPLICATION, PullGround.EXECUTOR, 0, layout.room(lengths.length, bytes))
                .orElseThrow();
        long start = 0;
        int laid = 0;
        for (int length : lengths) {
            start = layout.start(start);
            ground.pool.slab().view(output.slabOffset() + start, length).put(content(map, laid, length));
            start += length;
            laid += length;
        }
        List<Long> all = Arrays.stream(lengths).asLongStream().boxed().toList();
        assertThat(outputs().publish(output, map, layout, all)).isTrue();
        return output;
    }

    /** The output of a map as one. */
    private static byte[] content(long map, int from, int length) {
        byte[] content = new byte[from + length];
        new Random(map).nextBytes(content);
        return Arrays.copyOfRange(content, from, from + length);
    }

    private static PullRequest request(BlockRange... blocks) {
        return new PullRequest(
                PullGround.APPLICATION, PullGround.EXECUTOR, TimeUnit.HOURS.toMillis(1), 1 << 20, 0, List.of(blocks));
    }

    private ControlMessage.Ready lastReady() {
        return (ControlMessage.Ready) ground.said.get(ground.said.size() - 1);
    }

    private void endOutputs() {
        outputs().forget(PullGround.APPLICATION);
        cableStepsOf(one);
        assertThat(outputs().status().usedBytes()).isZero();
        assertThat(one.window.openOutputs()).isZero();
    }

    private static void cableStepsOf(Peer peer) {
        peer.cable.addSteps(step -> step.action().run());
    }

    @Test
    void aLinkHasRoomForTwiceWhatIsStagedAtOnce() {
        assertThat(PortUnit.READABLE_PER_LINK).isEqualTo(2 * StagingBudget.MAX_READABLE);
    }
}
