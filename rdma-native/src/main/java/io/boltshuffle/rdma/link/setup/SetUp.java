package io.boltshuffle.rdma.link.setup;

import io.boltshuffle.rdma.link.CalibrationResult;
import io.boltshuffle.rdma.link.Candidate;
import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkSetup;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.MessageCut;
import io.boltshuffle.rdma.link.move.Endpoint;
import io.boltshuffle.rdma.link.move.LinkDownException;
import io.boltshuffle.rdma.link.move.Offering;
import io.boltshuffle.rdma.link.move.Offerings;
import io.boltshuffle.rdma.link.move.Traffic;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Calibrated;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Hello;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Pattern;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Ready;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import io.boltshuffle.rdma.link.RangePart;
import java.util.ArrayList;
import java.util.function.LongSupplier;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings a link from nothing to UP: EXCHANGING, CONNECTING, CALIBRATING.
 *
 * <p>Both ends run the same steps. The one with the greater session measures first; the other starts when it hears {@link
 * Calibrated}, so that the two directions do not disturb each other's measurement.
 *
 * <p><b>Threads:</b> confined to the poller.
 */
final class SetUp {

    /** What this needs of the machine it works for. */
    interface Host {

        void become(LinkState next);

        void send(LinkMessage message);

        long newToken();

        /**
         * From here on posts are made and completions polled.
         *
         * @param filler what may be sent in place of a withdrawn offer
         */
        Traffic carry(Endpoint endpoint, int peerReceiveFrames, Offering filler);

        void up(LinkReport report);
    }

    private static final double TYPICAL_GIGABYTES_PER_SECOND = 6;

    private final LinkSetup parts;
    private final Handshake handshake;
    private final ControlLane lane;
    private final Scratch scratch;
    private final Host host;
    private final LongSupplier now;
    private final List<Integer> messageSizes;

    private @Nullable Endpoint endpoint;
    private List<int[]> patternChecksums = List.of();
    private @Nullable Hello peer;
    private GidChoice.@Nullable Agreed gids;
    private boolean connected;
    private boolean peerReady;

    private @Nullable Calibrator calibrator;
    private @Nullable List<Offer> peerPattern;
    private boolean measuring;
    private @Nullable CalibrationResult chosen;
    private int peerMessageBytes;

    SetUp(LinkSetup parts, Handshake handshake, ControlLane lane, Host host, LongSupplier now) {
        this.parts = parts;
        this.handshake = handshake;
        this.lane = lane;
        this.scratch = new Scratch(parts.scratch());
        this.host = host;
        this.now = now;
        this.messageSizes = parts.options().candidates().stream()
                .map(Candidate::messageBytes)
                .filter(scratch::suits)
                .distinct()
                .toList();
    }

    void start() {
        host.become(LinkState.EXCHANGING);
        lane.prepare(parts.options(), scratch, handshake.session(), messageSizes);
    }

    void prepared(Endpoint made, List<int[]> checksums) throws LinkDownException {
        endpoint = made;
        patternChecksums = checksums;
        host.send(handshake.hello(made, MessageCut.MAX_MESSAGE_BYTES));
        connectIfBothAreKnown();
    }

    void hello(Hello hello) throws LinkDownException {
        if (peer != null) {
            throw new LinkDownException(Reason.PROTOCOL_VIOLATION, "the peer said HELLO twice");
        }
        peer = hello;
        connectIfBothAreKnown();
    }

    private void connectIfBothAreKnown() throws LinkDownException {
        if (endpoint != null && peer != null) {
            gids = handshake.accept(peer, endpoint);
            host.become(LinkState.CONNECTING);
            lane.connect(endpoint, peer, gids, handshake.packetSequenceNumber());
        }
    }

    void connected() throws LinkDownException {
        connected = true;
        host.send(new Ready(peer().session()));
        calibrateIfBothAreReady();
    }

    void ready(Ready ready) throws LinkDownException {
        if (ready.peerSession() != handshake.session() || peerReady) {
            throw new LinkDownException(Reason.PROTOCOL_VIOLATION, "the peer's READY answers another HELLO");
        }
        peerReady = true;
        calibrateIfBothAreReady();
    }

    private void calibrateIfBothAreReady() throws LinkDownException {
        if (!connected || !peerReady) {
            return;
        }
        host.become(LinkState.CALIBRATING);
        Traffic traffic = host.carry(endpoint(), peer().granted().receive(), offering(MessageCut.FRAME_BYTES));
        Calibrator made = new Calibrator(traffic.fetcher(), scratch, parts.options(), now);
        calibrator = made;
        made.plan(parts.history());
        host.send(new Pattern(offerPattern(traffic.offerings())));
    }

    private List<Offer> offerPattern(Offerings offerings) {
        List<Offer> offers = new ArrayList<>();
        for (int i = 0; i < messageSizes.size(); i++) {
            Offering offering = offering(messageSizes.get(i));
            offerings.add(offering);
            offers.add(offering.offer(handshake.session(), handshake.mode(), patternChecksums.get(i)));
        }
        return offers;
    }

    private Offering offering(int messageBytes) {
        RangePart pattern = scratch.pattern();
        pattern.range().retain();
        return new Offering(host.newToken(), new MessageCut(pattern.bytes(), messageBytes), pattern, () -> {});
    }

    void pattern(Pattern pattern) throws LinkDownException {
        peerPattern = pattern.offers();
        measureIfItIsTime();
    }

    void peerCalibrated(Calibrated calibrated) throws LinkDownException {
        if (!messageSizes.contains(calibrated.messageBytes())) {
            throw new LinkDownException(
                    Reason.PROTOCOL_VIOLATION, "the peer chose messages of " + calibrated.messageBytes() + " bytes");
        }
        peerMessageBytes = calibrated.messageBytes();
        measureIfItIsTime();
        upIfBothAreCalibrated();
    }

    private void measureIfItIsTime() throws LinkDownException {
        boolean myTurn = handshake.measuresBefore(peer()) || peerMessageBytes > 0;
        if (!measuring && myTurn && peerPattern != null) {
            measuring = true;
            calibrator().start(peerPattern);
        }
    }

    /** After each poll in CALIBRATING. */
    void advance() throws LinkDownException {
        if (!measuring || chosen != null || !calibrator().advance()) {
            return;
        }
        chosen = Objects.requireNonNull(calibrator().best());
        calibrator().use(chosen.candidate());
        host.send(new Calibrated(chosen.candidate().messageBytes()));
        upIfBothAreCalibrated();
    }

    private void upIfBothAreCalibrated() {
        if (chosen != null && peerMessageBytes > 0) {
            host.become(LinkState.UP);
            host.up(report(chosen));
        }
    }

    private LinkReport report(CalibrationResult best) {
        GidChoice.Agreed agreed = Objects.requireNonNull(gids);
        return new LinkReport(
                endpoint().deviceName(),
                handshake.mode(),
                agreed.local().gid(),
                agreed.peer(),
                endpoint().granted(),
                best.candidate(),
                peerMessageBytes,
                calibrator().results());
    }

    /** What the fetching side has chosen, once it has. */
    Candidate receiving() {
        return Objects.requireNonNull(chosen).candidate();
    }

    /** Measured once there is a choice, a guess until then. */
    double gigabytesPerSecond() {
        return chosen == null ? TYPICAL_GIGABYTES_PER_SECOND : chosen.gigabytesPerSecond();
    }

    /** True while a verbs call of this side is under way. */
    boolean awaitsControl() {
        return endpoint == null || (gids != null && !connected);
    }

    Hello peer() {
        return Objects.requireNonNull(peer);
    }

    /** The candidate that is being measured, or null. */
    @Nullable Candidate underTest() {
        return calibrator == null ? null : calibrator.underTest();
    }

    private Endpoint endpoint() {
        return Objects.requireNonNull(endpoint);
    }

    private Calibrator calibrator() {
        return Objects.requireNonNull(calibrator);
    }
}
