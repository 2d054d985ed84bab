package io.boltshuffle.agent.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.agent.output.Output;
import io.boltshuffle.agent.output.Outputs;
import io.boltshuffle.agent.stage.BlockUnavailableException;
import io.boltshuffle.agent.stage.FileRange;
import io.boltshuffle.agent.stage.NoBlocks;
import io.boltshuffle.agent.stage.ShuffledBlocks;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.OutputLayout;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.Stripe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows what becomes of served pulls when readers fail, and of requests whose pull has ended. */
class PullServerTest {

    private static final long SLAB_BYTES = 1 << 20;

    private final Path directory;
    private final ShuffledBlocks blocks;
    private Locator locator;
    private int locates;
    private PullGround ground;
    private SimPullCable cable;
    private PullServer server;

    /** Finds a block, or fails to. */
    @FunctionalInterface
    private interface Locator {
        FileRange locate(BlockRange block) throws BlockUnavailableException;
    }

    PullServerTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.blocks = new ShuffledBlocks(directory);
        this.locator = block -> blocks.locate(PullGround.APPLICATION, PullGround.EXECUTOR, block);
    }

    @BeforeEach
    void serve() throws Exception {
        ground = new PullGround(directory, SLAB_BYTES, new CountedSource());
        cable = new SimPullCable(new SimLoop(), ground.loop);
        server = new PullServer(ground.services, "there", cable.server(), ground.said::add, app -> true);
    }

    /** The pool refuses to close while anything is out. */
    @AfterEach
    void allMemoryIsBack() throws Exception {
        assertThat(ground.services.served().budget().usedBytes()).isZero();
        ground.close();
        blocks.close();
    }

    private final class CountedSource extends NoBlocks {
        @Override
        public FileRange locate(String application, String executor, BlockRange block)
                throws BlockUnavailableException {
            locates++;
            return locator.locate(block);
        }
    }

    /** Links of which this end is not up, or not yet. */
    private final class LateLinks implements LinkSet {
        private boolean up;
        private boolean coming = true;

        @Override
        public List<ActiveLink> up() {
            return up ? cable.server().up() : List.of();
        }

        @Override
        public boolean isAnyOnItsWay() {
            return coming;
        }
    }

    private LateLinks serveOverLateLinks() {
        LateLinks links = new LateLinks();
        server = new PullServer(ground.services, "there", links, ground.said::add, app -> true);
        return links;
    }

    @Test
    void aPullThatComesBeforeThisEndOfALinkIsUpWaitsForIt() throws Exception {
        LateLinks links = serveOverLateLinks();

        server.onPull(1, PullGround.request(0));
        ground.run();
        assertThat(ground.said).isEmpty();

        links.up = true;
        server.onLinkUp();
        ground.run();

        assertThat(ground.said).singleElement().isInstanceOf(ControlMessage.Ready.class);
        server.close();
        letGo();
    }

    @Test
    void aPullWhoseLinkDoesNotComeUpIsRefusedSoon() throws Exception {
        serveOverLateLinks();

        server.onPull(1, PullGround.request(0));
        ground.loop.fire(0);
        ground.run();

        assertThat(onlyAnswer().reason()).isEqualTo(FailureReason.LINK_FAILED);
        assertThat(server.pullCount()).isZero();
    }

    @Test
    void aPullWithoutALinkThatCouldComeUpIsRefusedAtOnce() throws Exception {
        serveOverLateLinks().coming = false;

        server.onPull(1, PullGround.request(0));
        ground.run();

        assertThat(onlyAnswer().reason()).isEqualTo(FailureReason.LINK_FAILED);
    }

    @Test
    void aPullThatIsFreedOrClosedBeforeALinkIsUpLeavesNothing() throws Exception {
        LateLinks links = serveOverLateLinks();
        server.onPull(1, PullGround.request(0));
        server.onPull(2, PullGround.request(1));

        server.onFree(1);
        server.close();
        links.up = true;
        server.onLinkUp();
        while (ground.loop.timers() > 0) {
            ground.loop.fire(0);
        }
        ground.run();

        assertThat(ground.said).isEmpty();
        assertThat(locates).isZero();
    }

    @Test
    void anExceptionWhileBlocksAreLookedUpIsAnswered() throws Exception {
        locator = block -> {
            throw new UncheckedIOException(new IOException("of the test"));
        };

        server.onPull(1, PullGround.request(0));
        ground.run();

        assertThat(onlyAnswer().reason()).isEqualTo(FailureReason.READ_ERROR);
        assertThat(onlyAnswer().detail()).contains("of the test");
        assertThat(server.pullCount()).isZero();
    }

    @Test
    void anExceptionWhileFilesAreReadIsAnsweredAndGivesTheMemoryBack() throws Exception {
        locator = block -> new FileRange(directory.resolve("blocks"), null, -1, 100);

        server.onPull(1, PullGround.request(0));
        ground.run();

        assertThat(onlyAnswer().reason()).isEqualTo(FailureReason.READ_ERROR);
        assertThat(server.pullCount()).isZero();
    }

    @Test
    void anErrorAtAReaderEndsTheLoop() throws Exception {
        locator = block -> {
            throw new OutOfMemoryError("of the test");
        };

        server.onPull(1, PullGround.request(0));
        ground.reader.remove().run();

        assertThatThrownBy(ground.loop::runTask).isInstanceOf(OutOfMemoryError.class);
        server.close();
    }

    @Test
    void aPullThatEndedDoesNotKeepMemoryFromTheNext() throws Exception {
        Lease rest = ground.lease(SLAB_BYTES - (48 << 10));
        locator = block -> new FileRange(directory.resolve("blocks"), null, 0, block.mapId() == 0 ? 64 << 10 : 1000);
        server.onPull(1, PullGround.request(0));
        ground.run();
        server.onPull(2, PullGround.request(2));
        ground.run();
        assertThat(ground.said).isEmpty();

        server.onFree(1);
        ground.run();

        assertThat(ground.said)
                .singleElement()
                .isInstanceOfSatisfying(
                        ControlMessage.Ready.class,
                        ready -> assertThat(ready.pullId()).isEqualTo(2));
        server.close();
        cable.addSteps(step -> step.action().run());
        rest.release();
    }

    @Test
    void nothingIsLookedUpForAPullThatEndedWhileItWaitedForAReader() throws Exception {
        server.onPull(1, PullGround.request(0, 2));
        server.onFree(1);
        ground.run();

        assertThat(locates).isZero();
    }

    @Test
    void whatIsLeftOfAPullIsNotLookedUpOnceItEnded() throws Exception {
        locator = block -> {
            server.onFree(1);
            return new FileRange(directory.resolve("blocks"), null, 0, 1000);
        };

        server.onPull(1, PullGround.request(0, 2));
        ground.run();

        assertThat(locates).isEqualTo(1);
        assertThat(ground.said).isEmpty();
    }

    private ControlMessage.NotReady onlyAnswer() {
        assertThat(ground.said).hasSize(1);
        return (ControlMessage.NotReady) ground.said.get(0);
    }

    /** The output is there as the block is looked up, and makes room for the very pull that wants it. */
    @Test
    void aBlockWhoseOutputMadeRoomBeforeItWasReadComesFromItsFile() throws Exception {
        Outputs outputs = outputs();
        Lease rest = ground.lease(SLAB_BYTES - 19 * Lease.FRAME_BYTES);
        publish(0);
        locator = block -> block.mapId() == 2
                ? new FileRange(directory.resolve("blocks"), null, 0, 5_000)
                : blocks.locate(PullGround.APPLICATION, PullGround.EXECUTOR, block);

        server.onPull(1, PullGround.request(0, 2));
        ground.run();

        assertThat(locates).as("look-ups of both files").isEqualTo(2);
        assertThat(outputs.status().evicted()).isEqualTo(1);
        ControlMessage.Ready ready = onlyReady();
        assertThat(ready.failures()).isEmpty();
        assertThat(ready.slices())
                .containsExactly(
                        new BlockSlice(0, 0, ShuffledBlocks.BLOCK_BYTES, ShuffledBlocks.BLOCK_BYTES),
                        new BlockSlice(1, 0, 5_000, 5_000));
        assertThat(ground.services.counters().values().servedFromMemoryBytes()).isZero();
        server.close();
        letGo();
        rest.release();
    }

    /** Its output is held from before the answer until the peer needs it no more. */
    @Test
    void aBlockIsOfferedWhereItLiesUntilItsPullIsFreed() throws Exception {
        Outputs outputs = outputs();
        publish(0);
        long outputBytes = outputs.status().usedBytes();
        long usedBytes = ground.pool.snapshot().usedBytes();

        server.onPull(1, PullGround.request(0));
        ground.run();

        assertThat(locates).as("look-ups of files").isZero();
        assertThat(ground.pool.snapshot().usedBytes()).as("nothing is staged").isEqualTo(usedBytes);
        AgentCounters.Values counted = ground.services.counters().values();
        assertThat(counted.servedFromMemoryBytes()).isEqualTo(ShuffledBlocks.BLOCK_BYTES);
        assertThat(counted.servedInPlaceBytes()).isEqualTo(ShuffledBlocks.BLOCK_BYTES);
        outputs.makeRoom(SLAB_BYTES);
        assertThat(outputs.status().evicted()).as("it does not make room").isZero();
        outputs.withdraw(PullGround.APPLICATION, 0);
        assertThat(outputs.status().outputs())
                .as("its shuffle was unregistered")
                .isZero();
        assertThat(outputs.status().usedBytes()).isEqualTo(outputBytes);
        assertThat(fetched(onlyReady().stripes().get(0))).isEqualTo(content(0));

        server.onFree(1);

        assertThat(outputs.status().usedBytes()).isZero();
        letGo();
    }

    /** A device may read it still, so it is no one's. */
    @Test
    void anOutputWhoseMemoryIsInQuarantineIsServedFromItsFile() throws Exception {
        publish(0);
        Lease memory = outputs()
                .find(PullGround.APPLICATION, PullGround.EXECUTOR, new BlockRange(0, 0, 0, 1))
                .orElseThrow()
                .memory();
        memory.quarantine("of the test");

        server.onPull(1, PullGround.request(0));
        ground.run();

        assertThat(locates).as("look-ups of its file").isEqualTo(1);
        assertThat(fetched(onlyReady().stripes().get(0))).isEqualTo(ShuffledBlocks.content(0));
        server.onFree(1);
        outputs().forget(PullGround.APPLICATION);
        memory.releaseAfterQueuePairDestroyed(0);
        letGo();
    }

    @Test
    void aPullThatEndsWithItsConnectionLetsGoOfOutputs() throws Exception {
        publish(0);
        server.onPull(1, PullGround.request(0));
        ground.run();
        outputs().forget(PullGround.APPLICATION);
        assertThat(outputs().status().usedBytes()).isPositive();

        server.close();

        assertThat(outputs().status().usedBytes()).isZero();
        letGo();
    }

    @Test
    void whatIsStagedBeginsAFrameBehindWhatIsNot() throws Exception {
        publish(0);
        locator = block -> new FileRange(directory.resolve("blocks"), null, 0, 1_000);
        PullRequest request = PullGround.request(0, 2);

        server.onPull(1, request);
        ground.run();

        ControlMessage.Ready ready = onlyReady();
        assertThat(ready.slices())
                .containsExactly(
                        new BlockSlice(0, 0, ShuffledBlocks.BLOCK_BYTES, ShuffledBlocks.BLOCK_BYTES),
                        new BlockSlice(1, 0, 1_000, 1_000, 3_728));
        assertThat(ready.stripes())
                .extracting(Stripe::bytes)
                .containsExactly((long) ShuffledBlocks.BLOCK_BYTES, 1_000L);
        assertThat(ReadyCheck.of(request, ready)).isEqualTo(new ReadyCheck(71_000, 74_728, 2, 0));
        assertThat(fetched(ready.stripes().get(0))).isEqualTo(content(0));
        assertThat(ground.services.counters().values().servedInPlaceBytes()).isEqualTo(ShuffledBlocks.BLOCK_BYTES);
        server.onFree(1);
        outputs().forget(PullGround.APPLICATION);
        letGo();
    }

    @Test
    void aFileThatCannotBeReadLeavesNoGapBeforeWhatIsSentFromMemory() throws Exception {
        publish(2);
        locator = block -> new FileRange(directory.resolve("gone"), null, 0, 1_000);
        PullRequest request = PullGround.request(0, 2);

        server.onPull(1, request);
        ground.run();

        ControlMessage.Ready ready = onlyReady();
        assertThat(ready.failures()).containsExactly(new BlockFailure(0, FailureReason.READ_ERROR));
        assertThat(ready.slices())
                .containsExactly(new BlockSlice(1, 0, ShuffledBlocks.BLOCK_BYTES, ShuffledBlocks.BLOCK_BYTES));
        assertThat(ReadyCheck.of(request, ready).memoryBytes()).isEqualTo(ShuffledBlocks.BLOCK_BYTES);
        assertThat(fetched(ready.stripes().get(0))).isEqualTo(content(2));
        server.onFree(1);
        outputs().forget(PullGround.APPLICATION);
        letGo();
    }

    private Outputs outputs() {
        return ground.services.served().outputs();
    }

    /** Publishes an output with one block of this map. */
    private void publish(long map) {
        Output output = outputs()
                .lend(PullGround.APPLICATION, PullGround.EXECUTOR, 0, ShuffledBlocks.BLOCK_BYTES)
                .orElseThrow();
        ground.pool.slab().view(output.slabOffset(), ShuffledBlocks.BLOCK_BYTES).put(content(map));
        assertThat(outputs().publish(output, map, OutputLayout.PACKED, List.of((long) ShuffledBlocks.BLOCK_BYTES)))
                .isTrue();
    }

    private static byte[] content(long map) {
        byte[] content = new byte[ShuffledBlocks.BLOCK_BYTES];
        new Random(map).nextBytes(content);
        return content;
    }

    private ControlMessage.Ready onlyReady() {
        assertThat(ground.said).hasSize(1);
        return (ControlMessage.Ready) ground.said.get(0);
    }

    private byte[] fetched(Stripe stripe) {
        return cable.fetched(stripe, ground);
    }

    private void letGo() {
        cable.letGo();
    }
}
