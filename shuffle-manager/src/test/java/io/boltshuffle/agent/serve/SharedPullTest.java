package io.boltshuffle.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.agent.cable.SimWindow;
import io.boltshuffle.agent.files.NoBlocks;
import io.boltshuffle.agent.live.BlockOwner;
import io.boltshuffle.agent.live.LiveBlocks;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import io.boltshuffle.wire.PullRequest;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pulls of several peers for one block in an owner's memory. */
class SharedPullTest {

    private static final long SLAB_BYTES = 4 << 20;
    private static final int BLOCK_BYTES = 100_000;
    private static final BlockRange CACHED = new LiveBlock(LiveBlock.Kind.RDD_PARTITION, 1, 2).toRange();
    private static final BlockRange PIECE = new LiveBlock(LiveBlock.Kind.BROADCAST_PIECE, 5, 1).toRange();

    private final Path directory;
    private final Owner owner = new Owner();
    /** The window of the one port that both peers are cabled to. */
    private final SimWindow window = new SimWindow(SimPullCable.SimRange::new, Runnable::run);

    private PullFixture fixture;
    private LiveBlocks live;
    private Peer one;
    private Peer other;

    SharedPullTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** An owner that answers when it is told. */
    private final class Owner implements BlockOwner {
        private final List<Long> asked = new ArrayList<>();
        private final List<Long> unwanted = new ArrayList<>();
        private ByteBuffer memory = ByteBuffer.allocate(0);

        @Override
        public void layOut(long askId, BlockRange block, long maxBytes, long timeoutMillis) {
            asked.add(askId);
        }

        @Override
        public void layHere(long askId, long slabOffset, long bytes) {
            memory = fixture.pool.slab().view(slabOffset, (int) bytes);
        }

        @Override
        public void unwanted(long askId) {
            unwanted.add(askId);
        }

        private long last() {
            return asked.get(asked.size() - 1);
        }

        void tellsSize() throws Exception {
            live.onSize(this, last(), BLOCK_BYTES);
            fixture.run();
        }

        void lays() throws Exception {
            memory.put(content());
            live.onLaid(this, last());
            fixture.run();
        }

        void fails(FailureReason reason) throws Exception {
            live.onNotLaid(this, last(), reason, "of the test");
            fixture.run();
        }
    }

    /** Another host's agent, which has links of its own. */
    private final class Peer implements LinkSet {
        private final SimPullCable cable = new SimPullCable(new SimLoop(), fixture.loop);
        private final List<ControlMessage> heard = new ArrayList<>();
        private final PullServer server = new PullServer(fixture.services, "peer", this, heard::add, app -> true);
        private final List<Lease> offered = new ArrayList<>();
        private boolean reads;

        @Override
        public List<ActiveLink> up() {
            return cable.server().up().stream()
                    .map(link ->
                            new ActiveLink(link.id(), link.link(), this::rangeOf, reads ? window : null, link.meter()))
                    .toList();
        }

        private RegisteredRange rangeOf(Lease lease) {
            offered.add(lease);
            return new SimPullCable.SimRange(lease);
        }

        Lease offeredLease() {
            return offered.get(offered.size() - 1);
        }

        void pull(long id, BlockRange block) throws Exception {
            server.onPull(
                    id,
                    new PullRequest(
                            PullFixture.APPLICATION,
                            PullFixture.EXECUTOR,
                            TimeUnit.HOURS.toMillis(1),
                            1 << 20,
                            0,
                            List.of(block)));
            fixture.run();
        }

        void frees(long id) {
            server.onFree(id);
            fixture.run();
            cable.letGo();
        }

        byte[] fetched() {
            return cable.fetched(ready().stripes().get(0), fixture);
        }

        ControlMessage.Ready ready() {
            return (ControlMessage.Ready) heard.get(heard.size() - 1);
        }

        FailureReason refusal() {
            return ((ControlMessage.NotReady) heard.get(heard.size() - 1)).reason();
        }

        void end() {
            server.close();
            fixture.run();
            cable.addSteps(step -> step.action().run());
        }
    }

    @BeforeEach
    void open() throws Exception {
        fixture = new PullFixture(directory, SLAB_BYTES, new NoBlocks());
        live = fixture.services.served().live();
        live.add(PullFixture.APPLICATION, PullFixture.EXECUTOR, owner);
        one = new Peer();
        other = new Peer();
    }

    /** The pool refuses to close while anything is out. */
    @AfterEach
    void allMemoryIsBack() throws Exception {
        one.end();
        other.end();
        fixture.services.copies().close();
        assertThat(fixture.services.budget().usedBytes()).isZero();
        assertThat(window.openCopies() + window.openAreas()).isZero();
        assertThat(fixture.loop.timers()).isZero();
        fixture.close();
    }

    private static byte[] content() {
        byte[] content = new byte[BLOCK_BYTES];
        new Random(7).nextBytes(content);
        return content;
    }

    private long shared() {
        return fixture.services.copies().status().shared();
    }

    private long staged() {
        return fixture.services.budget().usedBytes();
    }

    private void bothAskForThePiece() throws Exception {
        one.pull(1, PIECE);
        other.pull(1, PIECE);
    }

    private void theOwnerLaysItOut() throws Exception {
        owner.tellsSize();
        owner.lays();
    }

    /** How far the first pull is when the second one comes. */
    private enum Meeting {
        ASKED,
        WRITING
    }

    @ParameterizedTest
    @EnumSource
    void whoeverAsksBeforeACachedBlockIsLaidOutSharesTheCopy(Meeting meeting) throws Exception {
        one.pull(1, CACHED);
        if (meeting == Meeting.WRITING) {
            owner.tellsSize();
        }
        other.pull(1, CACHED);
        if (meeting == Meeting.ASKED) {
            owner.tellsSize();
        }
        assertThat(staged()).isEqualTo(BLOCK_BYTES);
        owner.lays();

        assertThat(owner.asked).hasSize(1);
        assertThat(shared()).isEqualTo(1);
        assertThat(one.fetched()).isEqualTo(content());
        one.frees(1);
        assertThat(staged()).as("while the other one is served").isEqualTo(BLOCK_BYTES);
        assertThat(other.fetched()).isEqualTo(content());
        other.frees(1);
        assertThat(staged()).isZero();
    }

    /** It may be another one by then, of the same name. */
    @Test
    void aCachedBlockIsAskedForAgainOnceItIsLaidOut() throws Exception {
        one.pull(1, CACHED);
        theOwnerLaysItOut();

        other.pull(1, CACHED);

        assertThat(owner.asked).hasSize(2);
        theOwnerLaysItOut();
        assertThat(other.fetched()).isEqualTo(content());
        assertThat(shared()).isZero();
    }

    @Test
    void aPieceOfABroadcastIsServedFromTheCopyThatIsStillThere() throws Exception {
        one.pull(1, PIECE);
        theOwnerLaysItOut();
        one.frees(1);
        assertThat(fixture.services.copies().status().keptBytes()).isGreaterThanOrEqualTo(BLOCK_BYTES);

        other.pull(1, PIECE);
        one.pull(2, PIECE);

        assertThat(owner.asked).hasSize(1);
        assertThat(other.fetched()).isEqualTo(content());
        assertThat(one.fetched()).isEqualTo(content());
        assertThat(shared()).isEqualTo(2);
        assertThat(fixture.services.copies().status().keptBytes()).isZero();
    }

    @Test
    void aCopyThatNothingWantsGoesWhenItsTimeIsOver() throws Exception {
        one.pull(1, PIECE);
        theOwnerLaysItOut();
        one.frees(1);

        fixture.loop.fire(0);

        assertThat(staged()).isZero();
        other.pull(1, PIECE);
        assertThat(owner.asked).hasSize(2);
    }

    @Test
    void whatIsKeptIsGivenUpForARequestThatWaitsForMemory() throws Exception {
        Lease rest = fixture.lease(SLAB_BYTES / 2);
        one.pull(1, PIECE);
        theOwnerLaysItOut();
        one.frees(1);

        CompletableFuture<Lease> wait =
                fixture.pool.acquireAsync(new LeaseOwner("waits"), SLAB_BYTES / 2, Long.MAX_VALUE);
        assertThat(wait).isNotDone();
        fixture.run();

        assertThat(wait).isCompleted();
        assertThat(staged()).isZero();
        wait.join().release();
        rest.release();
    }

    @Test
    void whatIsKeptIsGivenUpForOneThatFoundNoMemoryAndDoesNotWait() throws Exception {
        Lease rest = fixture.lease(SLAB_BYTES / 2);
        one.pull(1, PIECE);
        theOwnerLaysItOut();
        one.frees(1);

        assertThat(fixture.pool.tryAcquire(new LeaseOwner("a link"), SLAB_BYTES / 2))
                .isEmpty();
        fixture.run();

        assertThat(staged()).isZero();
        rest.release();
    }

    @Test
    void nothingIsKeptWhileARequestWaits() throws Exception {
        one.pull(1, PIECE);
        theOwnerLaysItOut();
        CompletableFuture<Lease> wait = fixture.pool.acquireAsync(new LeaseOwner("waits"), SLAB_BYTES, Long.MAX_VALUE);
        fixture.run();

        one.frees(1);
        fixture.run();

        assertThat(wait).isCompleted();
        wait.join().release();
    }

    @Test
    void anOwnerThatComesUnderTheSameNameIsAsked() throws Exception {
        one.pull(1, PIECE);
        theOwnerLaysItOut();
        one.frees(1);
        Owner next = new Owner();
        live.remove(owner, /* mayWrite= */ false, "gone");
        live.add(PullFixture.APPLICATION, PullFixture.EXECUTOR, next);

        other.pull(1, PIECE);

        assertThat(next.asked).hasSize(1);
        assertThat(shared()).isZero();
    }

    @Test
    void theOwnerGoesOnAsLongAsOneWantsTheBlock() throws Exception {
        bothAskForThePiece();
        one.server.close();
        assertThat(owner.unwanted).isEmpty();

        theOwnerLaysItOut();

        assertThat(other.fetched()).isEqualTo(content());
        assertThat(shared()).as("one layout, one pull").isZero();
    }

    @Test
    void theOwnerIsToldWhenTheLastOneGaveUp() throws Exception {
        bothAskForThePiece();
        one.server.close();
        other.frees(1);

        assertThat(owner.unwanted).containsExactly(owner.last());
    }

    /** The memory is the owner's until it answers, and whoever comes until then is served from it. */
    @Test
    void aCopyThatAllGaveUpWhileTheOwnerWritesIsTheNextOnes() throws Exception {
        one.pull(1, CACHED);
        owner.tellsSize();
        one.server.close();
        other.pull(1, CACHED);
        owner.lays();

        assertThat(owner.asked).hasSize(1);
        assertThat(other.fetched()).isEqualTo(content());
    }

    @Test
    void anOwnerThatEndsFailsAllThatWait() throws Exception {
        bothAskForThePiece();
        owner.tellsSize();

        live.remove(owner, /* mayWrite= */ false, "gone");
        fixture.run();

        assertThat(one.refusal()).isEqualTo(FailureReason.UNKNOWN_EXECUTOR);
        assertThat(other.refusal()).isEqualTo(FailureReason.UNKNOWN_EXECUTOR);
        assertThat(staged()).isZero();
    }

    /** The first one's time was over, or the owner's patience with it: that is not the second one's. */
    @ParameterizedTest
    @EnumSource(
            value = FailureReason.class,
            names = {"DEADLINE", "NO_MEMORY", "READ_ERROR"})
    void whoeverJoinedGoesOnAloneAfterWhatMayBeTheFirstOnesFailure(FailureReason reason) throws Exception {
        bothAskForThePiece();

        owner.fails(reason);

        assertThat(one.refusal()).isEqualTo(reason);
        assertThat(owner.asked).hasSize(2);
        theOwnerLaysItOut();
        assertThat(other.fetched()).isEqualTo(content());
    }

    @Test
    void aBlockThatIsGoneIsGoneForAll() throws Exception {
        bothAskForThePiece();

        owner.fails(FailureReason.UNKNOWN_BLOCK);

        assertThat(one.refusal()).isEqualTo(FailureReason.UNKNOWN_BLOCK);
        assertThat(other.refusal()).isEqualTo(FailureReason.UNKNOWN_BLOCK);
        assertThat(owner.asked).hasSize(1);
    }

    /** Another peer's link in doubt has put the memory into quarantine. */
    @Test
    void aCopyInQuarantineIsNotSharedAnyMore() throws Exception {
        one.pull(1, PIECE);
        theOwnerLaysItOut();
        Lease lease = one.offeredLease();
        lease.posted(1);
        lease.quarantine("of the test");

        other.pull(1, PIECE);
        theOwnerLaysItOut();

        assertThat(other.fetched()).isEqualTo(content());
        assertThat(owner.asked).hasSize(2);
        lease.releaseAfterQueuePairDestroyed(1);
    }

    @Test
    void theEndOfTheAgentGivesUpWhatIsKeptAndKeepsNoMore() throws Exception {
        one.pull(1, PIECE);
        theOwnerLaysItOut();
        one.frees(1);
        other.pull(1, new LiveBlock(LiveBlock.Kind.BROADCAST_PIECE, 5, 2).toRange());
        theOwnerLaysItOut();

        fixture.services.copies().close();
        other.frees(1);

        assertThat(staged()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void peersThatReadAreLetAtOneCopyOfAPiece(boolean atOnce) throws Exception {
        one.reads = true;
        other.reads = true;
        one.pull(1, PIECE);
        if (atOnce) {
            other.pull(1, PIECE);
        }
        theOwnerLaysItOut();
        if (!atOnce) {
            one.frees(1);
            other.pull(1, PIECE);
        } else {
            assertThat(one.fetched()).isEqualTo(content());
        }

        assertThat(owner.asked).hasSize(1);
        assertThat(other.fetched()).isEqualTo(content());
        assertThat(window.copies()).containsExactly((long) BLOCK_BYTES);
        assertThat(window.areas()).isEmpty();
    }

    @Test
    void aPeerThatCannotBeLetAtTheCopyGetsOneOfItsOwn() throws Exception {
        other.reads = true;
        window.refuseCopies();
        bothAskForThePiece();
        theOwnerLaysItOut();
        assertThat(one.fetched()).isEqualTo(content());
        assertThat(owner.asked).hasSize(2);

        theOwnerLaysItOut();

        assertThat(other.fetched()).isEqualTo(content());
        assertThat(window.openAreas()).isEqualTo(1);
    }

    /** Memory that stays registered for it is worth more to it. */
    @Test
    void aPeerThatReadsHasACopyOfItsOwnOfACachedBlock() throws Exception {
        one.pull(1, CACHED);
        other.reads = true;

        other.pull(1, CACHED);

        assertThat(owner.asked).hasSize(2);
        one.server.close();
        other.frees(1);
    }
}
