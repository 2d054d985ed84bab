package io.boltshuffle.rdma.link.setup;

import io.boltshuffle.rdma.link.CalibrationResult;
import io.boltshuffle.rdma.link.Candidate;
import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.move.DataPath;
import io.boltshuffle.rdma.link.move.LinkDownException;
import io.boltshuffle.rdma.link.move.ServedRange;
import io.boltshuffle.rdma.link.move.ServedRanges;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Calibrated;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Hello;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Both ends measure, one after the other, in what messages bytes come to them best. Over when each has chosen and knows
 * the other's choice.
 */
final class Calibrating implements SetupPhase {

    private final Setup.Context context;
    private final LocalEnd own;
    private final Hello peer;
    private final GidChoice.Agreed gids;
    private final Calibrator calibrator;
    private @Nullable List<Offer> peerPattern;
    private boolean measuring;
    private @Nullable CalibrationResult chosen;
    private int peerMessageBytes;

    private Calibrating(Setup.Context context, LocalEnd own, Hello peer, GidChoice.Agreed gids, Calibrator calibrator) {
        this.context = context;
        this.own = own;
        this.peer = peer;
        this.gids = gids;
        this.calibrator = calibrator;
    }

    static Calibrating begin(
            Setup.Context context, LocalPattern own, Hello peer, GidChoice.Agreed gids, DataPath dataPath)
            throws LinkDownException {
        Calibrator calibrator = new Calibrator(dataPath.fetcher(), context.scratch(), context.options(), context.now());
        calibrator.plan(context.history());
        context.host().send(new Pattern(offerPattern(context, own, dataPath.servedRanges())));
        return new Calibrating(context, own.end(), peer, gids, calibrator);
    }

    private static List<Offer> offerPattern(Setup.Context context, LocalPattern own, ServedRanges servedRanges) {
        LinkHandshake handshake = context.handshake();
        List<Offer> offers = new ArrayList<>();
        for (int i = 0; i < context.messageSizes().size(); i++) {
            ServedRange served = context.pattern(context.messageSizes().get(i));
            servedRanges.add(served);
            offers.add(served.offer(
                    handshake.session(), handshake.mode(), own.checksums().get(i)));
        }
        return offers;
    }

    @Override
    public @Nullable SetupPhase message(LinkMessage message) throws LinkDownException {
        if (message instanceof Pattern pattern) {
            peerPattern = pattern.offers();
            measureIfItIsTime();
            return this;
        }
        return message instanceof Calibrated calibrated ? peerCalibrated(calibrated) : null;
    }

    private SetupPhase peerCalibrated(Calibrated calibrated) throws LinkDownException {
        if (!context.messageSizes().contains(calibrated.messageBytes())) {
            throw new LinkDownException(
                    Reason.PROTOCOL_VIOLATION, "the peer chose messages of " + calibrated.messageBytes() + " bytes");
        }
        peerMessageBytes = calibrated.messageBytes();
        measureIfItIsTime();
        return nextIfBothAreCalibrated();
    }

    private void measureIfItIsTime() throws LinkDownException {
        boolean myTurn = context.handshake().measuresBefore(peer) || peerMessageBytes > 0;
        if (!measuring && myTurn && peerPattern != null) {
            measuring = true;
            calibrator.start(peerPattern);
        }
    }

    @Override
    public SetupPhase advance() throws LinkDownException {
        if (!measuring || chosen != null || !calibrator.advance()) {
            return this;
        }
        CalibrationResult best = Objects.requireNonNull(calibrator.best());
        chosen = best;
        calibrator.use(best.candidate());
        context.host().send(new Calibrated(best.candidate().messageBytes()));
        return nextIfBothAreCalibrated();
    }

    private SetupPhase nextIfBothAreCalibrated() {
        if (chosen == null || peerMessageBytes == 0) {
            return this;
        }
        context.host().become(LinkState.UP);
        context.host().up(report(chosen));
        return new Settled(peer.session(), chosen);
    }

    private LinkReport report(CalibrationResult best) {
        return new LinkReport(
                own.endpoint().deviceName(),
                context.handshake().mode(),
                gids.local().gid(),
                gids.peer(),
                own.endpoint().granted(),
                best.candidate(),
                peerMessageBytes,
                calibrator.results());
    }

    @Override
    public @Nullable Candidate underTest() {
        return calibrator.underTest();
    }

    @Override
    public double gigabytesPerSecond() {
        return chosen == null ? TYPICAL_GIGABYTES_PER_SECOND : chosen.gigabytesPerSecond();
    }
}
