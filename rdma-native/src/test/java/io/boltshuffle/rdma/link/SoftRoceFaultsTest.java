package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.link.LinkPair.Fetched;
import io.boltshuffle.rdma.memory.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Shows what a link makes of faults that a kernel makes for real. Each test ends with all memory home and the cable as
 * it was.
 */
@Tag("soft-roce")
@Timeout(1500)
class SoftRoceFaultsTest {

    private static final long SLAB_BYTES = 64L << 20;
    private static final long LARGE = 16L << 20;
    private static final int PULLS = Integer.getInteger("bolt.lab.pulls", 1000);

    private static final int ATTEMPTS = 5;

    private static final List<Candidate> CANDIDATES = List.of(
            new Candidate(16 << 10, 256 << 10),
            new Candidate(8 << 10, 128 << 10),
            new Candidate(4 << 10, 64 << 10),
            new Candidate(32 << 10, 256 << 10));

    private final List<LinkHost> hosts = new ArrayList<>();

    @AfterEach
    void everythingComesHome() throws Exception {
        for (LinkHost host : hosts) {
            host.close();
        }
    }

    private void openHosts(LinkMode mode) throws Exception {
        hosts.add(SoftRoce.open(0, mode, SLAB_BYTES));
        hosts.add(SoftRoce.open(1, mode, SLAB_BYTES));
    }

    /** New hosts know nothing of the failures of the old ones, after a few of which a cable is given up for good. */
    private void reopenHosts(LinkMode mode) throws Exception {
        everythingComesHome();
        hosts.clear();
        openHosts(mode);
    }

    private static LinkOptions options(LinkMode mode, Duration stall) {
        return LinkOptions.defaults(mode)
                .withCandidates(CANDIDATES, Duration.ofMillis(20))
                .withTimeouts(Duration.ofSeconds(60), stall, Duration.ofSeconds(60));
    }

    /** Tries a link that does not come up again, a few times, as an agent does. */
    private LinkPair connect(LinkMode mode, Duration stall) throws Exception {
        for (int attempt = 1; ; attempt++) {
            LinkPair links = new LinkPair(hosts.get(0), hosts.get(1), options(mode, stall), null);
            try {
                return links.awaitUp();
            } catch (ExecutionException e) {
                links.close();
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                reopenHosts(mode);
            }
        }
    }

    @Test
    void readsHideLossAndDamage() throws Exception {
        Tally tally = pullOverABadCable(LinkMode.READ, 17, Duration.ofSeconds(20));

        assertThat(tally.droppedPackets).isPositive();
        assertThat(tally.rightByRdma).isEqualTo(PULLS);
    }

    @Test
    void sendsThatSufferAreNoticedAndTakenByAnotherWay() throws Exception {
        Tally tally = pullOverABadCable(LinkMode.SEND, 14, Duration.ofSeconds(3));

        assertThat(tally.droppedPackets).isPositive();
        assertThat(tally.rightByRdma).isPositive();
        assertThat(tally.fellBack).isPositive();
        assertThat(tally.rightByRdma + tally.fellBack).isEqualTo(PULLS);
    }

    /** The blocks then go another way, instead of over a link that comes up and breaks for ever. */
    @Test
    void aCableThatLosesFramesWithEveryCandidateIsGivenUp() throws Exception {
        openHosts(LinkMode.SEND);
        GuestCable.disturb("1%", "0.1%");
        try {
            // Each end rules out one candidate at least for each link that it blames; the two take turns at worst.
            assertThat(failuresUntilGivenUp(2 * CANDIDATES.size() + 1)).contains(LinkFailure.Reason.CALIBRATION_DIRTY);
        } finally {
            assertThat(GuestCable.calm()).isPositive();
        }
    }

    /** Returns why links went down, at either end, until the cable was given up or {@code most} links were tried. */
    private List<LinkFailure.Reason> failuresUntilGivenUp(int most) throws Exception {
        List<LinkFailure.Reason> reasons = new ArrayList<>();
        while (reasons.size() < 2 * most && !reasons.contains(LinkFailure.Reason.CALIBRATION_DIRTY)) {
            LinkPair links =
                    new LinkPair(hosts.get(0), hosts.get(1), options(LinkMode.SEND, Duration.ofSeconds(3)), null);
            for (int side = 0; side < 2; side++) {
                reasons.add(links.awaitFailure(side).reason());
                links.awaitEnd(side);
            }
        }
        return reasons;
    }

    /** How pulls ended. None that was reported as verified may hold a wrong byte: {@code assertHolds} sees to that. */
    private static final class Tally {
        private int rightByRdma;
        private int fellBack;
        private long droppedPackets;
    }

    /**
     * Pulls of random sizes, while one packet in a hundred is lost and one in a thousand damaged, each way.
     *
     * @param doublings the largest has 2 to this power bytes; small and large powers are equally likely
     */
    private Tally pullOverABadCable(LinkMode mode, int doublings, Duration stall) throws Exception {
        openHosts(mode);
        SplittableRandom random = new SplittableRandom(42);
        Tally tally = new Tally();
        LinkPair links = connect(mode, stall);
        GuestCable.disturb("1%", "0.1%");
        for (int pull = 0; pull < PULLS; pull++) {
            long bytes = 1 + random.nextLong(2L << random.nextInt(doublings));
            if (pull(links, pull, bytes)) {
                tally.rightByRdma++;
            } else {
                tally.fellBack++;
                links.close();
                tally.droppedPackets += GuestCable.calm();
                reopenHosts(mode);
                links = connect(mode, stall);
                GuestCable.disturb("1%", "0.1%");
            }
        }
        tally.droppedPackets += GuestCable.calm();
        links.close();
        System.out.printf(
                "%s: %d pulls right by RDMA, %d taken another way, %d packets lost%n",
                mode, tally.rightByRdma, tally.fellBack, tally.droppedPackets);
        return tally;
    }

    /** False if the link noticed that something was wrong, and delivered nothing. */
    private static boolean pull(LinkPair links, int number, long bytes) throws Exception {
        int side = number % 2;
        Offer offer = links.offer(1 - side, bytes, number);
        Fetched fetched = links.fetch(side, offer.all(), Duration.ofMinutes(4));
        if (fetched.result().handle((right, failure) -> failure == null).get(5, TimeUnit.MINUTES)) {
            fetched.assertHolds(bytes, number);
            links.link(1 - side).withdraw(offer);
            fetched.release();
            return true;
        }
        assertThat(fetched.awaitFailure().reason()).isEqualTo(TransferFailure.Reason.LINK_DOWN);
        return false;
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aPortThatGoesDownEndsTheTransferAndANewLinkWorks(LinkMode mode) throws Exception {
        openHosts(mode);
        LinkPair links = connect(mode, Duration.ofSeconds(5));
        Offer offer = links.offer(0, LARGE, 1);
        GuestCable.portDown("en5");
        Fetched fetched = links.fetch(1, offer.all());
        assertThat(fetched.awaitFailure().reason()).isEqualTo(TransferFailure.Reason.LINK_DOWN);
        assertThat(links.awaitEnd(0)).isEqualTo(LinkState.FAILED);
        assertThat(links.awaitEnd(1)).isEqualTo(LinkState.FAILED);
        GuestCable.portUp("en5");

        LinkPair next = connect(mode, Duration.ofSeconds(20));
        next.fetchAndCompare(1, 1 << 20, 2);
        next.close();
    }

    /** The transfer that is under way ends, right or failed; what the kernel makes of the device is not ours to say. */
    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aDeviceTakenAwayUnderLoadHangsNothing(LinkMode mode) throws Exception {
        openHosts(mode);
        LinkPair links = connect(mode, Duration.ofSeconds(5));
        Offer offer = links.offer(0, LARGE, 1);
        Fetched fetched = links.fetch(1, offer.all());
        Process removal = GuestCable.removeDevice("en6");
        try {
            if (fetched.result().handle((right, failure) -> failure == null).get(2, TimeUnit.MINUTES)) {
                fetched.assertHolds(LARGE, 1);
                fetched.release();
            }
            links.close();
            everythingComesHome();
            hosts.clear();
            assertThat(removal.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            GuestCable.addDevice("en6");
        }
        openHosts(mode);
        LinkPair next = connect(mode, Duration.ofSeconds(20));
        next.fetchAndCompare(1, 1 << 20, 2);
        next.close();
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aServerKilledWithItsQueuePairOpenEndsTheTransferAndLeavesNothing(LinkMode mode) throws Exception {
        hosts.add(SoftRoce.open(1, mode, SLAB_BYTES));
        LinkHost host = hosts.get(0);
        try (ServingProcess server = ServingProcess.start(mode, LARGE)) {
            RemoteLink link = new RemoteLink(host, server, mode);
            Lease destination = host.lease(LARGE);
            Offer offer = link.awaitOffer();
            assertThat(GuestCable.queuePairs("en5")).isEqualTo(1);
            RemoteLink.Pull pull = link.pull(offer, destination);
            server.kill();
            assertThat(pull.awaitFailure().reason()).isEqualTo(TransferFailure.Reason.LINK_DOWN);
            link.awaitEnd();
            destination.release();
            assertThat(GuestCable.queuePairs("en5")).isZero();
        }
        try (ServingProcess server = ServingProcess.start(mode, LARGE)) {
            RemoteLink link = new RemoteLink(host, server, mode);
            Lease destination = host.lease(LARGE);
            link.pull(link.awaitOffer(), destination).await();
            ServingProcess.assertHoldsContent(destination, LARGE);
            destination.release();
            link.close();
        }
    }
}
