package io.boltshuffle.rdma.link.setup;

import io.boltshuffle.rdma.link.CalibrationHistory;
import io.boltshuffle.rdma.link.Candidate;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.LinkParts;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.MessageCut;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.move.DataPath;
import io.boltshuffle.rdma.link.move.Endpoint;
import io.boltshuffle.rdma.link.move.LinkDownException;
import io.boltshuffle.rdma.link.move.ServedRange;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings a link from nothing to UP, one {@link SetupPhase} after the other.
 *
 * <p>Both ends run the same steps. The one with the greater session measures first; the other starts when it hears
 * {@link LinkMessage.Calibrated}, so that the two directions do not disturb each other's measurement.
 *
 * <p><b>Threads:</b> confined to the poller.
 */
public final class Setup {

    /** The services that setting up needs from the link. */
    public interface Host {

        void become(LinkState next);

        void send(LinkMessage message);

        long newToken();

        /**
         * Starts to carry data: from here on posts are made and completions polled.
         *
         * @param filler memory that the link sends in place of an offer that was withdrawn
         */
        DataPath carry(Endpoint endpoint, int peerReceiveFrames, ServedRange filler);

        void up(LinkReport report);
    }

    /**
     * The values that every phase works with.
     *
     * @param now the time of the poll under way
     * @param messageSizes that calibration may try, in bytes
     */
    record Context(
            LinkHandshake handshake,
            ControlLane lane,
            Scratch scratch,
            LinkOptions options,
            CalibrationHistory history,
            Host host,
            LongSupplier now,
            List<Integer> messageSizes) {

        /** The test pattern as this side serves it, in messages of one size. */
        ServedRange pattern(int messageBytes) {
            RangePart pattern = scratch.pattern();
            pattern.range().retain();
            return new ServedRange(host.newToken(), new MessageCut(pattern.bytes(), messageBytes), pattern, () -> {});
        }
    }

    private final Context context;
    private SetupPhase phase;

    /** @param now the time of the poll under way */
    public Setup(LinkParts parts, LinkHandshake handshake, ControlLane lane, Host host, LongSupplier now) {
        Scratch scratch = new Scratch(parts.scratch());
        List<Integer> messageSizes = parts.options().candidates().stream()
                .map(Candidate::messageBytes)
                .filter(scratch::suits)
                .distinct()
                .toList();
        this.context = new Context(handshake, lane, scratch, parts.options(), parts.history(), host, now, messageSizes);
        this.phase = new Exchanging(context);
    }

    /** Makes the queue pair. */
    public void start() {
        context.host().become(LinkState.EXCHANGING);
        context.lane()
                .prepare(
                        context.options(),
                        context.scratch(),
                        context.handshake().session(),
                        context.messageSizes());
    }

    /** The queue pair is in INIT. Comes in the first phase only. */
    public void prepared(LocalEnd made, List<int[]> patternChecksums) throws LinkDownException {
        phase = phase.prepared(new LocalPattern(made, patternChecksums));
    }

    /** The queue pair is in RTS. Comes in the second phase only. */
    public void connected() throws LinkDownException {
        phase = phase.connected();
    }

    /**
     * The peer said something about setting up.
     *
     * @return false if that has no place in this phase
     */
    public boolean message(LinkMessage message) throws LinkDownException {
        SetupPhase next = phase.message(message);
        if (next == null) {
            return false;
        }
        phase = next;
        return true;
    }

    /** Goes on with what the last poll brought. */
    public void advance() throws LinkDownException {
        phase = phase.advance();
    }

    /** Measured once there is a choice, a guess until then. */
    public double gigabytesPerSecond() {
        return phase.gigabytesPerSecond();
    }

    /** True while a verbs call of this side is under way. */
    public boolean awaitsControl() {
        return phase.awaitsControl();
    }

    /** The candidate that is being measured, or null. */
    public @Nullable Candidate underTest() {
        return phase.underTest();
    }

    /** Returns the terms that both ends have settled, or null before the link has been up. */
    public @Nullable Settled settled() {
        return phase instanceof Settled settled ? settled : null;
    }
}
