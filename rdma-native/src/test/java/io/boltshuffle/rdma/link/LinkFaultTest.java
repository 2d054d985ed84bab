package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkFailure.Retry;
import io.boltshuffle.rdma.link.LinkPair.Fetched;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.PoolSnapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Shows what a link makes of everything the virtual Thunderbolt can break. Each test ends with all memory home or in
 * quarantine.
 */
@Timeout(200)
@Tag("slow")
class LinkFaultTest {

    private static final long SLAB_BYTES = 64L << 20;
    private static final long LARGE = 8L << 20;

    private final Path directory;
    private final List<LinkHost> hosts = new ArrayList<>();
    private @Nullable VirtualCable cable;
    private @Nullable LinkPair pair;
    private boolean mayQuarantine;

    LinkFaultTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @AfterEach
    void everythingIsHomeOrInQuarantine() throws Exception {
        if (pair != null) {
            pair.close();
        }
        for (LinkHost host : hosts) {
            boolean inDoubt = host.pool().snapshot().quarantined().leases() > 0;
            // What a call hung on is closed no more, even when that call returned late.
            if (mayQuarantine && (inDoubt || host == hosts.get(1))) {
                host.abandon();
            } else {
                host.close();
            }
        }
    }

    private static LinkOptions options(LinkMode mode) {
        return LinkOptions.defaults(mode)
                .withCandidates(List.of(new Candidate(64 << 10, 1 << 20)), Duration.ofMillis(10))
                .withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(2), Duration.ofSeconds(3));
    }

    private VirtualCable plug(LinkMode mode) throws Exception {
        return plug(mode, Duration.ofSeconds(20));
    }

    /** @param control how long the device at the second end waits for a control call */
    private VirtualCable plug(LinkMode mode, Duration control) throws Exception {
        VirtualCable plugged = new VirtualCable(directory, mode);
        cable = plugged;
        hosts.add(plugged.open(0, mode, SLAB_BYTES));
        hosts.add(plugged.open(1, mode, SLAB_BYTES, control));
        return plugged;
    }

    private LinkPair start(LinkOptions options) {
        LinkPair started = new LinkPair(hosts.get(0), hosts.get(1), options, null);
        pair = started;
        return started;
    }

    private LinkPair startUp(LinkMode mode) throws Exception {
        plug(mode);
        return start(options(mode)).awaitUp();
    }

    /** Another link over the same poller goes on: the thread is not the link's. */
    @Test
    void anErrorOfTheVirtualMachineEndsTheLinkThatItHitAndNotThePoller() throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        ExecutorService checksums = new ForkJoinPool(1) {
            @Override
            public void execute(Runnable task) {
                if (broken.get()) {
                    throw new OutOfMemoryError("made by a test");
                }
                super.execute(task);
            }
        };
        // A message that was about to be checked may stay with the link.
        mayQuarantine = true;
        plug(LinkMode.SEND);
        // The poller checks smaller messages itself.
        LinkOptions large =
                options(LinkMode.SEND).withCandidates(List.of(new Candidate(1 << 20, 1 << 20)), Duration.ofMillis(10));
        try {
            LinkPair links = new LinkPair(hosts.get(0), hosts.get(1), large, checksums).awaitUp();
            pair = links;
            broken.set(true);
            Fetched fetched = links.fetch(1, links.offer(0, LARGE, 1).all());

            assertThat(fetched.awaitFailure().reason()).isEqualTo(TransferFailure.Reason.LINK_DOWN);
            assertThat(links.awaitFailure(1).reason()).isEqualTo(Reason.INTERNAL);
            links.awaitEnd(0);
            links.awaitEnd(1);

            start(options(LinkMode.SEND)).awaitUp().fetchAndCompare(1, LARGE, 2);
        } finally {
            checksums.shutdown();
        }
    }

    private VirtualCable cable() {
        if (cable == null) {
            throw new IllegalStateException("nothing is plugged");
        }
        return cable;
    }

    /**
     * Asserts that the link which notices first fails for one of these reasons, that the other follows, and that the
     * reader's transfer ends with them.
     */
    private void assertBothGoDown(LinkPair links, Fetched fetched, Reason... reasons) throws Exception {
        TransferFailure failure = fetched.awaitFailure();
        assertThat(failure.reason()).isEqualTo(TransferFailure.Reason.LINK_DOWN);
        LinkFailure seen = links.awaitFailure(1);
        LinkFailure first = seen.reason() == Reason.PEER_FAILED ? links.awaitFailure(0) : seen;
        assertThat(first.reason()).as(first.message()).isIn((Object[]) reasons);
        assertThat(failure.link()).isEqualTo(seen);
        assertThat(links.awaitDown(0)).isPresent();
        assertThat(links.awaitEnd(0)).isEqualTo(LinkState.FAILED);
        assertThat(links.awaitEnd(1)).isEqualTo(LinkState.FAILED);
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aFlippedBitTakesTheLinkDownAndIsNeverDelivered(LinkMode mode) throws Exception {
        LinkPair links = startUp(mode);
        Offer offer = links.offer(0, LARGE, 1);
        cable().cable("corrupt", "next", "1", "after", "500");
        assertBothGoDown(links, links.fetch(1, offer.all()), Reason.CHECKSUM_MISMATCH);
    }

    @Test
    void aLostFrameTakesTheLinkDown() throws Exception {
        LinkPair links = startUp(LinkMode.SEND);
        Offer offer = links.offer(0, LARGE, 1);
        cable().cable("lose", "next", "1", "after", "500");
        assertBothGoDown(
                links,
                links.fetch(1, offer.all()),
                Reason.CHECKSUM_MISMATCH,
                Reason.LENGTH_MISMATCH,
                Reason.BAD_COMPLETION,
                Reason.STALLED);
    }

    @Test
    void aMarkedLossTakesTheLinkDown() throws Exception {
        LinkPair links = startUp(LinkMode.SEND);
        Offer offer = links.offer(0, LARGE, 1);
        cable().cable("lose", "marked", "on");
        cable().cable("lose", "next", "1", "after", "500");
        assertBothGoDown(links, links.fetch(1, offer.all()), Reason.BAD_COMPLETION);
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aCompletionWithAnErrorTakesTheLinkDown(LinkMode mode) throws Exception {
        LinkPair links = startUp(mode);
        Offer offer = links.offer(0, LARGE, 1);
        cable().cable("error", "4", mode == LinkMode.SEND ? "receive" : "send", "next", "1");
        assertBothGoDown(links, links.fetch(1, offer.all()), Reason.BAD_COMPLETION);
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aSilentCableEndsTheTransferInTime(LinkMode mode) throws Exception {
        LinkPair links = startUp(mode);
        Offer offer = links.offer(0, LARGE, 1);
        cable().cable("pull", "silent");
        assertBothGoDown(
                links, links.fetch(1, offer.all()), mode == LinkMode.SEND ? Reason.STALLED : Reason.BAD_COMPLETION);
    }

    /** The cable is back, but what was open stays dead: a fresh link needs the device opened again, and says so. */
    @Test
    void aCableThatWasOutForAMomentLeavesAnOpenDeviceDown() throws Exception {
        LinkPair links = startUp(LinkMode.SEND);
        Offer offer = links.offer(0, LARGE, 1);
        cable().cable("flap", "10", "silent");
        assertBothGoDown(links, links.fetch(1, offer.all()), Reason.STALLED);
        LinkPair fresh = start(options(LinkMode.SEND));
        for (int side = 0; side < 2; side++) {
            LinkFailure seen = fresh.awaitFailure(side);
            assertThat(seen.reason()).as(seen.message()).isIn(Reason.PORT_NOT_ACTIVE, Reason.PEER_FAILED);
            assertThat(seen.retry()).isEqualTo(Retry.BACK_OFF);
        }
    }

    @Test
    void aOneWayDeathEndsTheTransferInTime() throws Exception {
        LinkPair links = startUp(LinkMode.SEND);
        Offer offer = links.offer(0, LARGE, 1);
        cable().cable("from", "a:en5", "mute", "on");
        assertBothGoDown(links, links.fetch(1, offer.all()), Reason.STALLED);
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void lateCompletionsAndASlowCableOnlyCostTime(LinkMode mode) throws Exception {
        LinkPair links = startUp(mode);
        cable().cable("late", "20000", "rate", "0.3", "seed", "1");
        cable().cable("gbps", "4");
        links.fetchAndCompare(1, LARGE, 1);
        links.fetchAndCompare(0, LARGE, 2);
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aCableThatIsHeldAndLetGoInTimeGoesOn(LinkMode mode) throws Exception {
        LinkPair links = startUp(mode);
        Offer offer = links.offer(0, LARGE, 1);
        cable().cable("hold", "on");
        Fetched fetched = links.fetch(1, offer.all());
        cable().cable("hold", "off");
        fetched.await();
        fetched.assertHolds(LARGE, 1);
        fetched.release();
    }

    @Test
    void aCandidateThatDamagesBytesIsNotUsedByTheNextLink() throws Exception {
        plug(LinkMode.SEND);
        LinkOptions options = options(LinkMode.SEND)
                .withCandidates(
                        List.of(new Candidate(128 << 10, 1 << 20), new Candidate(16 << 10, 256 << 10)),
                        Duration.ofMillis(20));
        cable().cable("from", "a:en5", "corrupt", "next", "1", "after", "3");
        LinkPair first = start(options);
        assertThat(first.awaitFailure(1).reason()).isEqualTo(Reason.CHECKSUM_MISMATCH);
        first.awaitEnd(0);
        first.awaitEnd(1);

        LinkPair second = start(options).awaitUp();
        LinkReport report = second.awaitUp(1);
        assertThat(report.receiving().messageBytes()).isEqualTo(16 << 10);
        assertThat(report.calibration())
                .extracting(CalibrationResult::verdict)
                .containsExactly(CalibrationResult.Verdict.DIRTY, CalibrationResult.Verdict.CLEAN);
        second.fetchAndCompare(1, LARGE, 1);
    }

    /** Its plug may have been loose: later, all message sizes are tried again. */
    @Test
    void aCableOnWhichNothingIsCleanIsGivenUpForAWhile() throws Exception {
        plug(LinkMode.SEND);
        LinkOptions options = options(LinkMode.SEND);
        cable().cable("from", "a:en5", "corrupt", "rate", "1");
        LinkPair first = start(options);
        first.awaitEnd(0);
        first.awaitEnd(1);
        LinkPair second = start(options);
        assertThat(second.awaitFailure(1).reason()).isEqualTo(Reason.CALIBRATION_DIRTY);
        assertThat(second.awaitFailure(1).retry()).isEqualTo(Retry.BACK_OFF);
        assertThat(second.awaitFailure(0).reason()).isEqualTo(Reason.PEER_FAILED);
        second.awaitEnd(0);
        second.awaitEnd(1);

        cable().cable("clear");

        start(options).awaitUp().fetchAndCompare(1, LARGE, 1);
    }

    @Test
    void anExhaustedQueuePairBudgetIsSaidAndNothingIsLeft() throws Exception {
        plug(LinkMode.SEND).port("a:en5", "queue_pairs", "0");
        LinkPair links = start(options(LinkMode.SEND));
        assertThat(links.awaitFailure(0).reason()).isEqualTo(Reason.SETUP_REFUSED);
        assertThat(links.awaitFailure(1).reason()).isEqualTo(Reason.PEER_FAILED);
    }

    @Test
    void aRefusedConnectionIsTriedOnceAndSaysWhetherToTryAgain() throws Exception {
        plug(LinkMode.SEND).port("a:en5", "rtr", "60", "next", "1");
        LinkPair first = start(options(LinkMode.SEND));
        assertThat(first.awaitFailure(0).reason()).isEqualTo(Reason.CONNECT_REFUSED);
        assertThat(first.awaitFailure(0).retry()).isEqualTo(Retry.BACK_OFF);
        first.awaitEnd(0);
        first.awaitEnd(1);
        cable().port("a:en5", "rtr", "96", "next", "1");
        LinkPair second = start(options(LinkMode.SEND));
        assertThat(second.awaitFailure(0).retry()).isEqualTo(Retry.AFTER_OPERATOR);
    }

    /** A post would end this process, as Apple's driver does it. */
    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aLinkThatIsToldOfAPulledCableEndsWithoutAPost(LinkMode mode) throws Exception {
        LinkPair links = startUp(mode);
        hosts.get(1).device().checkActive();
        cable().cable("pull", "segv");
        assertThatThrownBy(() -> hosts.get(1).device().checkActive())
                .isInstanceOf(VerbsException.class)
                .hasMessageContainingAll("rdma_en", "DOWN", "check the cable");
        links.link(1).onPortLost("no cable");
        LinkFailure seen = links.awaitFailure(1);
        assertThat(seen.reason()).isEqualTo(Reason.PORT_NOT_ACTIVE);
        assertThat(seen.retry()).isEqualTo(Retry.BACK_OFF);
        assertThat(links.awaitFailure(0).reason()).isEqualTo(Reason.PEER_FAILED);
        assertThat(links.awaitEnd(0)).isEqualTo(LinkState.FAILED);
        assertThat(links.awaitEnd(1)).isEqualTo(LinkState.FAILED);
    }

    @Test
    void aPortThatIsDownIsSaidBeforeAnythingIsMade() throws Exception {
        VirtualCable plugged = new VirtualCable(directory, LinkMode.SEND);
        plugged.cable("pull", "silent");
        assertThatThrownBy(() -> plugged.open(0, LinkMode.SEND, SLAB_BYTES))
                .isInstanceOf(VerbsException.class)
                .hasMessageContainingAll("rdma_en5", "DOWN", "check the cable");
    }

    @Test
    void aDestroyThatHangsPutsMemoryIntoQuarantine() throws Exception {
        LinkPair links = startUp(LinkMode.SEND);
        mayQuarantine = true;
        Offer offer = links.offer(0, LARGE, 1);
        cable().port("b:en6", "stuck", "destroy_qp", "on");
        try {
            cable().cable("pull", "silent");
            Fetched fetched = links.fetch(1, offer.all());
            assertThat(fetched.awaitFailure().reason()).isEqualTo(TransferFailure.Reason.LINK_DOWN);
            assertThat(links.awaitEnd(1)).isEqualTo(LinkState.FAILED);
            PoolSnapshot pool = hosts.get(1).pool().snapshot();
            assertThat(pool.quarantined().leases()).isEqualTo(2);
            assertThat(pool.quarantined().bytes()).isEqualTo(LARGE + LinkHost.SCRATCH_BYTES);
            assertThat(links.link(1).counters().quarantined()).isGreaterThanOrEqualTo(2);
        } finally {
            cable().port("b:en6", "stuck", "destroy_qp", "off");
        }
    }

    /** The link gives up on the call after 3 s, or the device does before. */
    @Tag("ci")
    @ParameterizedTest
    @ValueSource(ints = {2, 20})
    void aDestroyThatReturnsLateEndsTheQuarantine(int controlSeconds) throws Exception {
        plug(LinkMode.SEND, Duration.ofSeconds(controlSeconds));
        LinkPair links = start(options(LinkMode.SEND)).awaitUp();
        mayQuarantine = true;
        Offer offer = links.offer(0, LARGE, 1);
        LeasePool pool = hosts.get(1).pool();
        cable().port("b:en6", "stuck", "destroy_qp", "on");
        try {
            cable().cable("pull", "silent");
            assertThat(links.fetch(1, offer.all()).awaitFailure().reason()).isEqualTo(TransferFailure.Reason.LINK_DOWN);
            assertThat(links.awaitEnd(1)).isEqualTo(LinkState.FAILED);
            assertThat(pool.snapshot().quarantined().leases()).isEqualTo(2);
        } finally {
            cable().port("b:en6", "stuck", "destroy_qp", "off");
        }
        await().untilAsserted(() -> {
            assertThat(pool.snapshot().quarantined().leases()).isZero();
            assertThat(pool.snapshot().usedBytes()).isEqualTo(LinkHost.SCRATCH_BYTES);
        });
    }

    @Test
    void aQueuePairThatIsNeverGivenOutEndsTheLinkInTime() throws Exception {
        plug(LinkMode.SEND).port("b:en6", "stuck", "create_qp", "on");
        mayQuarantine = true;
        try {
            LinkPair links = start(options(LinkMode.SEND)
                    .withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(1)));
            assertThat(links.awaitFailure(1).reason()).isIn(Reason.CONTROL_STUCK, Reason.PEER_FAILED);
            assertThat(links.awaitEnd(1)).isEqualTo(LinkState.FAILED);
        } finally {
            cable().port("b:en6", "stuck", "create_qp", "off");
        }
    }
}
