package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.rdma.link.LinkPair.Fetched;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.rdma.memory.LeaseUnavailableException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.function.Executable;

/**
 * The duties of every way of moving bytes. A subclass says how a host is opened; each test ends with all memory home
 * and no thread left.
 */
@Timeout(300)
abstract class LinkContract {

    static final long SLAB_BYTES = 96L << 20;

    private static final int KIB = 1024;
    private static final int MESSAGE_BYTES = 64 * KIB;
    private static final int WINDOW_BYTES = 1024 * KIB;

    private final LinkMode mode;
    private final List<LinkHost> hosts = new ArrayList<>();
    private @Nullable LinkPair pair;

    LinkContract(LinkMode mode) {
        this.mode = mode;
    }

    /** @param side 0 or 1: which end of the cable */
    abstract LinkHost open(int side, LinkMode mode, long slabBytes) throws Exception;

    /** A known message size, so that its boundaries can be aimed at; calibration has tests of its own. */
    LinkOptions options() {
        return LinkOptions.defaults(mode)
                .withDeadlinesTimes(LinkPair.DEADLINE_SCALE)
                .withCandidates(List.of(new Candidate(MESSAGE_BYTES, WINDOW_BYTES)), Duration.ofMillis(20));
    }

    LinkPair start(LinkOptions options, @Nullable ExecutorService checksums, long slabBytes) throws Exception {
        for (int side = 0; side < 2; side++) {
            hosts.add(open(side, mode, slabBytes));
        }
        LinkPair started = new LinkPair(hosts.get(0), hosts.get(1), options, checksums);
        pair = started;
        return started.awaitUp();
    }

    LinkPair start() throws Exception {
        return start(options(), null, SLAB_BYTES);
    }

    List<LinkHost> hosts() {
        return hosts;
    }

    @AfterEach
    void everythingComesHome() throws Exception {
        List<Throwable> troubles = new ArrayList<>();
        if (pair != null) {
            attempt(pair::close, troubles);
        }
        // Even after a failure the next test must find nothing of this one.
        for (LinkHost host : hosts) {
            attempt(host::close, troubles);
        }
        assertThat(troubles).isEmpty();
        assertThat(hosts).noneMatch(LinkHost::isPolling);
    }

    private static void attempt(Executable closing, List<Throwable> troubles) {
        try {
            closing.execute();
        } catch (Throwable e) {
            troubles.add(e);
        }
    }

    @Test
    void everySizeAroundFrameAndMessageBoundariesArrivesWhole() throws Exception {
        LinkPair links = start();
        long seed = 1;
        for (int unit : new int[] {1, Lease.FRAME_BYTES, MESSAGE_BYTES, WINDOW_BYTES, 4 * WINDOW_BYTES}) {
            for (int difference = unit == 1 ? 0 : -1; difference <= 1; difference++) {
                for (int side = 0; side < 2; side++) {
                    links.fetchAndCompare(side, unit + difference, seed++);
                }
            }
        }
    }

    @Test
    void manyTransfersInBothDirectionsAtOnceArriveWhole() throws Exception {
        manyTransfers(start());
    }

    @Test
    void manyTransfersAreCheckedOnOtherThreads() throws Exception {
        ExecutorService checksums = Executors.newFixedThreadPool(2);
        try {
            manyTransfers(start(options(), checksums, SLAB_BYTES));
        } finally {
            checksums.shutdown();
        }
    }

    /** Repeats the test without checksums, for modes that can do without. */
    void manyTransfersWithoutSums() throws Exception {
        manyTransfers(start(options().withoutSums(), null, SLAB_BYTES));
    }

    @Test
    void anOfferWithoutSumsIsRefusedWhereSumsAreWanted() throws Exception {
        LinkPair links = start();
        Offer summed = links.offer(0, 3 * MESSAGE_BYTES, 1);
        Offer unsummed = new Offer(summed.key(), summed.cut(), summed.remote(), Offer.UNSUMMED);

        Fetched fetched = links.fetch(1, decoded(unsummed).all());

        assertThat(fetched.awaitFailure().reason()).isEqualTo(TransferFailure.Reason.OFFER_INVALID);
        links.link(0).withdraw(summed);
    }

    private static Offer decoded(Offer offer) {
        ByteBuffer bytes = ByteBuffer.allocate(offer.encodedBytes());
        offer.encode(bytes);
        return Offer.decode(bytes.flip());
    }

    private static void manyTransfers(LinkPair links) throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        record Started(int side, long bytes, long seed, Offer offer, Fetched fetched) {}
        List<Started> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int side = i % 2;
            long bytes = random.nextLong(1, 512 * KIB);
            Offer offer = links.offer(1 - side, bytes, i);
            all.add(new Started(side, bytes, i, offer, links.fetch(side, offer.all())));
        }
        for (Started started : all) {
            started.fetched().await();
            started.fetched().assertHolds(started.bytes(), started.seed());
            links.link(1 - started.side()).withdraw(started.offer());
            started.fetched().release();
        }
    }

    @Test
    void partsOfAnOfferCanBeFetchedInAnyOrder() throws Exception {
        LinkPair links = start();
        long bytes = 5 * MESSAGE_BYTES + 17;
        Offer offer = links.offer(0, bytes, 3);
        Fetched tail = links.fetch(1, offer.part(3 * MESSAGE_BYTES, 2 * MESSAGE_BYTES + 17));
        Fetched head = links.fetch(1, offer.part(0, 3 * MESSAGE_BYTES));
        head.await();
        tail.await();
        head.assertHolds(3 * MESSAGE_BYTES, 3);
        assertThat(tail.destination().view(0, 2 * MESSAGE_BYTES + 17))
                .isEqualTo(new Content(3).next(5 * MESSAGE_BYTES + 17).position(3 * MESSAGE_BYTES));
        head.release();
        tail.release();
    }

    @Test
    void aSmallTransferDoesNotWaitForALargeOne() throws Exception {
        LinkPair links = start();
        Offer large = links.offer(0, 32L << 20, 1);
        Offer small = links.offer(0, 1000, 2);
        Fetched first = links.fetch(1, large.all());
        Fetched second = links.fetch(1, small.all());
        second.await();
        assertThat(first.isDone()).isFalse();
        first.await();
        first.assertHolds(32L << 20, 1);
        first.release();
        second.release();
    }

    @Test
    void aTransferPastItsDeadlineFailsAloneAndItsMemoryComesHome() throws Exception {
        LinkPair links = start();
        Offer offer = links.offer(0, 32L << 20, 1);
        Fetched late = links.fetch(1, offer.all(), Duration.ofMillis(1));
        assertThat(late.awaitFailure().reason()).isEqualTo(TransferFailure.Reason.DEADLINE);
        links.fetchAndCompare(1, 100_000, 5);
    }

    @Test
    void aCancelledTransferEndsAndOthersGoOn() throws Exception {
        LinkPair links = start();
        Offer offer = links.offer(0, 32L << 20, 1);
        Fetched cancelled = links.fetch(1, offer.all());
        cancelled.cancel();
        assertThat(cancelled.awaitFailure().reason()).isEqualTo(TransferFailure.Reason.CANCELLED);
        links.fetchAndCompare(1, 100_000, 5);
    }

    @Test
    void aWithdrawnOfferFailsItsOwnTransferOnly() throws Exception {
        LinkPair links = start();
        CompletableFuture<Void> letGo = new CompletableFuture<>();
        Offer gone = links.offer(0, 300_000, 1, () -> letGo.complete(null));
        links.link(0).withdraw(gone);
        // A read that began before may still bring the right bytes.
        LinkPair.within(letGo);
        Fetched failed = links.fetch(1, gone.all());
        assertThat(failed.awaitFailure().reason()).isEqualTo(TransferFailure.Reason.OFFER_WITHDRAWN);
        links.fetchAndCompare(1, 300_000, 2);
        links.fetchAndCompare(0, 300_000, 3);
    }

    @Test
    void anOfferOfAnotherLinkIsRefused() throws Exception {
        LinkPair links = start();
        Offer own = links.offer(1, 5000, 1);
        Fetched refused = links.fetch(1, own.all());
        assertThat(refused.awaitFailure().reason()).isEqualTo(TransferFailure.Reason.OFFER_INVALID);
    }

    @Test
    void transfersGoOnAsMemoryComesBackWhenThePoolIsExhausted() throws Exception {
        LinkPair links = start(options(), null, LinkHost.SCRATCH_BYTES + (12L << 20));
        Offer offer = links.offer(0, 5L << 20, 1);
        Fetched first = links.fetch(1, offer.all());
        Fetched second = links.fetch(1, offer.all());
        first.await();
        assertThatThrownBy(() -> links.host(1)
                        .pool()
                        .acquireAsync(new LeaseOwner("late"), 5L << 20, System.nanoTime())
                        .get())
                .hasCauseInstanceOf(LeaseUnavailableException.class);
        first.release();
        Fetched third = links.fetch(1, offer.all());
        second.await();
        third.await();
        third.assertHolds(5L << 20, 1);
        second.release();
        third.release();
    }

    @Test
    void closingWaitsForWhatIsUnderWay() throws Exception {
        LinkPair links = start();
        Offer offer = links.offer(0, 16L << 20, 1);
        Fetched fetched = links.fetch(1, offer.all());
        links.link(0).close(System.nanoTime() + LinkPair.PATIENCE.toNanos());
        fetched.await();
        fetched.assertHolds(16L << 20, 1);
        fetched.release();
        assertThat(links.awaitEnd(0)).isEqualTo(LinkState.CLOSED);
        assertThat(links.awaitEnd(1)).isEqualTo(LinkState.CLOSED);
        assertThat(links.fetch(1, offer.all()).awaitFailure().reason())
                .isIn(TransferFailure.Reason.LINK_NOT_UP, TransferFailure.Reason.LINK_DOWN);
    }

    @Test
    void aLostChannelTakesBothEndsDownWithTheirTransfers() throws Exception {
        LinkPair links = start();
        Offer offer = links.offer(0, 32L << 20, 1);
        Fetched fetched = links.fetch(1, offer.all());
        links.link(1).onChannelLost("the connection was reset");
        TransferFailure failure = fetched.awaitFailure();
        assertThat(failure.reason()).isEqualTo(TransferFailure.Reason.LINK_DOWN);
        assertThat(links.awaitFailure(1).reason()).isEqualTo(LinkFailure.Reason.CHANNEL_LOST);
        assertThat(links.awaitFailure(0).reason()).isEqualTo(LinkFailure.Reason.PEER_FAILED);
    }

    @Test
    void calibrationMeasuresAndChoosesACleanCandidate() throws Exception {
        LinkPair links =
                start(LinkOptions.defaults(mode).withDeadlinesTimes(LinkPair.DEADLINE_SCALE), null, SLAB_BYTES);
        for (int side = 0; side < 2; side++) {
            LinkReport report = links.awaitUp(side);
            assertThat(report.calibration()).anySatisfy(result -> {
                assertThat(result.candidate()).isEqualTo(report.receiving());
                assertThat(result.verdict()).isEqualTo(CalibrationResult.Verdict.CLEAN);
            });
            assertThat(links.link(1 - side).offerMessageBytes())
                    .isEqualTo(report.receiving().messageBytes());
            links.fetchAndCompare(side, 3_000_000, side);
            assertThat(links.link(side).counters().bytesVerified())
                    .as("what measured the cable counts apart")
                    .isEqualTo(3_000_000);
            assertThat(links.link(side).counters().calibrationBytes()).isPositive();
        }
    }

    @Test
    @EnabledIfSystemProperty(
            named = "bolt.link.large",
            matches = "true",
            disabledReason = "moves 1 GiB: needs memory and time")
    void aGibibyteArrivesWhole() throws Exception {
        LinkPair links = start(LinkOptions.defaults(mode).withDeadlinesTimes(LinkPair.DEADLINE_SCALE), null, 2L << 30);
        links.fetchAndCompare(1, 1L << 30, 1);
    }
}
