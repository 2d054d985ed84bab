package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.Candidate;
import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.LinkParts;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.OfferListener;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.move.DataPath;
import io.boltshuffle.rdma.link.move.Deadlines;
import io.boltshuffle.rdma.link.move.Endpoint;
import io.boltshuffle.rdma.link.move.Fetch;
import io.boltshuffle.rdma.link.move.LinkCommand;
import io.boltshuffle.rdma.link.move.LinkDownException;
import io.boltshuffle.rdma.link.move.LinkRecorder;
import io.boltshuffle.rdma.link.move.Pacing;
import io.boltshuffle.rdma.link.move.ServedRange;
import io.boltshuffle.rdma.link.protocol.LinkCodec;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Bye;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Down;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Go;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Grant;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Skip;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Skipped;
import io.boltshuffle.rdma.link.setup.ControlLane;
import io.boltshuffle.rdma.link.setup.LinkHandshake;
import io.boltshuffle.rdma.link.setup.LocalEnd;
import io.boltshuffle.rdma.link.setup.Settled;
import io.boltshuffle.rdma.link.setup.Setup;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link's life as a state machine: commands and the time go in; messages, posts, control calls and callbacks come out.
 * It knows no thread and no clock.
 *
 * <p><b>Invariant:</b> in every state but IDLE and UP there is a deadline; in UP there is one while anything is under
 * way.
 *
 * <p><b>Threads:</b> confined to the thread that has the link's turn. That is the poller, but for {@link #serve},
 * {@link #fetchNow}, {@link #offer} and {@link #withdrawNow}, which others may call between two of its rounds.
 */
final class LinkMachine implements Setup.Host, ControlLane.Outcome {

    private static final Logger LOG = LoggerFactory.getLogger(LinkMachine.class);

    private static final Set<LinkState> CARRYING = EnumSet.of(LinkState.CALIBRATING, LinkState.UP, LinkState.DRAINING);

    /** The services that the machine needs from the link around it. */
    interface Host {

        /** Carries a command to the poller. */
        void later(LinkCommand command);

        long newToken();

        void stateIs(LinkState state);

        /** Transfers may start; the link's owner is told next. */
        void isUp(long session, LinkReport report);
    }

    private final LinkParts parts;
    private final LinkOptions options;
    private final LinkHandshake handshake;
    private final Host host;
    private final LinkRecorder recorder;
    private final ControlLane lane;
    private final Setup setup;
    private final String name;

    private long now;
    private LinkState state = LinkState.IDLE;
    private @Nullable Long deadlineNanos;
    private @Nullable DataPath dataPath;
    private @Nullable LinkFailure failure;
    private boolean byeSent;
    private boolean byeReceived;
    private boolean destroyed;

    LinkMachine(LinkParts parts, LinkHandshake handshake, Host host, LinkRecorder recorder) {
        this.parts = parts;
        this.options = parts.options();
        this.handshake = handshake;
        this.host = host;
        this.recorder = recorder;
        this.lane = new ControlLane(parts.device(), host::later, this);
        this.setup = new Setup(parts, handshake, lane, this, () -> now);
        this.name = "link on " + parts.device().device().name();
    }

    /** The time that commands and ticks run at from here on. */
    void setNow(long nowNanos) {
        now = nowNanos;
    }

    void start() {
        parts.scratch().retain();
        deadlineIn(options.setup().toNanos());
        setup.start();
    }

    // ---- what the poller does in each round

    /** Moves what can be moved and looks at the deadlines. Returns how many completions there were. */
    int poll() throws LinkDownException {
        int count = 0;
        if (dataPath != null && CARRYING.contains(state)) {
            count = dataPath.poll(now);
            if (state == LinkState.CALIBRATING) {
                setup.advance();
            } else if (state == LinkState.DRAINING) {
                sayByeIfDone(dataPath);
            }
        }
        if (state == LinkState.CLOSING) {
            finishIfSettled();
        }
        if (Deadlines.isOver(deadlineNanos, now)) {
            expire();
        }
        return count;
    }

    /**
     * The peer granted receives: sends what it can, between two rounds and while UP. Of all callbacks only {@link
     * OfferListener#onLetGo} may come from here, for an offer that was withdrawn before.
     *
     * @return true if there is something for the poller to do before its next round
     */
    boolean serve(List<Grant> grants) throws LinkDownException {
        return dataPath != null && dataPath.serve(grants, now);
    }

    @Nullable Long nextDeadlineNanos() {
        if (dataPath == null || !CARRYING.contains(state)) {
            return deadlineNanos;
        }
        return Deadlines.earlier(deadlineNanos, dataPath.nextDeadlineNanos());
    }

    /** Bytes at the device or being checked. */
    long bytesUnderWay() {
        return dataPath == null || !CARRYING.contains(state) ? 0 : dataPath.bytesUnderWay();
    }

    /** Returns when the device will have done enough for another round, as far as its speed is known. */
    long expectedNanos() {
        if (dataPath == null || !CARRYING.contains(state)) {
            return 0;
        }
        long expected = dataPath.expectedNanos(setup.gigabytesPerSecond());
        // Before and after UP the next state waits for the last completion.
        return state == LinkState.UP ? expected : Math.min(expected, Pacing.LONGEST_BUSY_NANOS);
    }

    private void expire() throws LinkDownException {
        switch (state) {
            case DRAINING ->
                throw new LinkDownException(Reason.DRAIN_TIMEOUT, "transfers did not end before the link had to close");
            case CLOSING -> finishUnsafe("the queue pair was not destroyed in time");
            default ->
                throw new LinkDownException(
                        setup.awaitsControl() ? Reason.CONTROL_STUCK : Reason.SETUP_TIMEOUT,
                        setup.awaitsControl()
                                ? "a verbs call did not return in time in state " + state
                                : "the peer was not ready in time in state " + state);
        }
    }

    private void deadlineIn(long nanos) {
        deadlineNanos = now + nanos;
    }

    // ---- what the peer says

    void message(LinkMessage message) throws LinkDownException {
        if (state == LinkState.CLOSING || state.isFinal()) {
            return;
        }
        if (message instanceof Down down) {
            throw new LinkDownException(Reason.PEER_FAILED, "the peer's link went down: " + down.why());
        }
        switch (state) {
            case EXCHANGING, CONNECTING -> {
                if (!setup.message(message)) {
                    throw unexpected(message);
                }
            }
            default -> carried(message);
        }
    }

    private void carried(LinkMessage message) throws LinkDownException {
        if (dataPath == null) {
            throw unexpected(message);
        } else if (message instanceof Go go) {
            dataPath.serving().granted(go.grants());
        } else if (message instanceof Skip skip) {
            dataPath.skip(skip.token());
        } else if (message instanceof Skipped skipped) {
            dataPath.serving().skipped(skipped.token());
        } else if (message instanceof Bye && state != LinkState.CALIBRATING) {
            peerSaidBye(dataPath);
        } else if (state != LinkState.CALIBRATING || !setup.message(message)) {
            throw unexpected(message);
        }
    }

    private LinkDownException unexpected(LinkMessage message) {
        return new LinkDownException(
                Reason.PROTOCOL_VIOLATION,
                "the peer sent " + message.getClass().getSimpleName() + " in state " + state);
    }

    @Override
    public void send(LinkMessage message) {
        try {
            parts.channel().send(LinkCodec.encode(message));
        } catch (RuntimeException e) {
            host.later(() -> fail(LinkFailure.of(Reason.CHANNEL_LOST, "the channel took no message: " + e, e)));
        }
    }

    // ---- what the control executor reports

    @Override
    public void prepared(LocalEnd made, List<int[]> patternChecksums) throws LinkDownException {
        if (state == LinkState.EXCHANGING) {
            setup.prepared(made, patternChecksums);
        }
    }

    @Override
    public void connected() throws LinkDownException {
        if (state == LinkState.CONNECTING) {
            setup.connected();
        }
    }

    // ---- coming up

    @Override
    public void become(LinkState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("a link that is " + state + " cannot become " + next);
        }
        LOG.debug("{}: {} -> {}", name, state, next);
        state = next;
        host.stateIs(next);
    }

    @Override
    public DataPath carry(Endpoint endpoint, int peerReceiveFrames, ServedRange filler) {
        deadlineIn(options.setup().plus(options.calibration()).toNanos());
        DataPath.Ways ways = new DataPath.Ways(this::send, host::later, parts.checksums(), recorder);
        dataPath = new DataPath(endpoint, options, filler, peerReceiveFrames, ways);
        return dataPath;
    }

    @Override
    public long newToken() {
        return host.newToken();
    }

    @Override
    public void up(LinkReport report) {
        deadlineNanos = null;
        recorder.calibrated();
        host.isUp(handshake.session(), report);
        LOG.info(
                "{}: up, {} in messages of {} bytes: {}",
                name,
                report.mode(),
                report.receiving(),
                report.calibration());
        tell(() -> parts.listener().onUp(report));
    }

    // ---- what the owner asks for

    void fetch(Fetch fetch) {
        DataPath way = wayOf(fetch);
        if (way != null) {
            way.fetch(fetch);
        }
    }

    /**
     * Starts a transfer as {@link #fetch} does, between two rounds and while UP, and posts at once. The transfer may
     * end here only by being refused.
     *
     * @return true if the poller has to look for what comes
     */
    boolean fetchNow(Fetch fetch) throws LinkDownException {
        DataPath way = wayOf(fetch);
        if (way != null) {
            way.fetchNow(fetch, now);
        }
        return way != null;
    }

    /** Returns the data path that is to move a transfer, or null after it ended the transfer with a refusal. */
    private @Nullable DataPath wayOf(Fetch fetch) {
        TransferFailure refusal = refusalOf(fetch);
        if (refusal == null) {
            return dataPath;
        }
        recorder.transferEnded(false);
        fetch.end(refusal);
        return null;
    }

    private @Nullable TransferFailure refusalOf(Fetch fetch) {
        Settled settled = setup.settled();
        if (state != LinkState.UP || settled == null) {
            return notUp();
        }
        return OfferCheck.refusal(fetch.offer(), settled, options.summed());
    }

    private TransferFailure notUp() {
        return failure == null
                ? new TransferFailure(TransferFailure.Reason.LINK_NOT_UP, name + " is " + state, null)
                : new TransferFailure(TransferFailure.Reason.LINK_DOWN, failure.message(), failure);
    }

    void cancel(Fetch fetch) {
        if (dataPath != null) {
            dataPath.fetcher()
                    .end(fetch, new TransferFailure(TransferFailure.Reason.CANCELLED, "cancelled: " + fetch, null));
        }
    }

    void offer(ServedRange served) {
        if (dataPath != null && (state == LinkState.UP || state == LinkState.DRAINING)) {
            dataPath.servedRanges().add(served);
            FetchTrace.step(FetchStep.OFFER_MADE);
        } else {
            served.release();
        }
    }

    void withdraw(long token) {
        ServedRange served = dataPath == null ? null : dataPath.servedRanges().find(token);
        if (dataPath != null && served != null && CARRYING.contains(state)) {
            FetchTrace.step(FetchStep.OFFER_WITHDRAWN);
            dataPath.serving().withdraw(served);
        }
    }

    /**
     * Withdraws an offer as {@link #withdraw} does, between two rounds and while UP. It may call back {@link
     * OfferListener#onLetGo}, and nothing else.
     *
     * @return true if there is something for the poller to do
     */
    boolean withdrawNow(long token) throws LinkDownException {
        withdraw(token);
        return dataPath != null && dataPath.letGoOfWithdrawn(now);
    }

    /** @param untilNanos when to stop waiting for transfers */
    void close(long untilNanos) {
        switch (state) {
            case UP -> drain(untilNanos);
            case DRAINING -> deadlineNanos = Deadlines.earlier(deadlineNanos, untilNanos);
            case EXCHANGING, CONNECTING, CALIBRATING -> {
                send(new Down("closed before it was up"));
                beginClosing(null);
            }
            default -> LOG.debug("{}: closing is under way already", name);
        }
    }

    // ---- going down

    private void drain(long untilNanos) {
        become(LinkState.DRAINING);
        deadlineNanos = untilNanos;
    }

    /** The answer waits for the end of the round: what the peer said before this has to be answered first. */
    private void peerSaidBye(DataPath moving) {
        byeReceived = true;
        moving.serving().peerFetchesNoMore();
        if (state == LinkState.UP) {
            drain(now + options.setup().toNanos());
        }
    }

    private void sayByeIfDone(DataPath moving) {
        if (!byeSent && moving.fetcher().isIdle()) {
            byeSent = true;
            send(new Bye());
        }
        if (byeSent && byeReceived && !moving.serving().isBusy()) {
            beginClosing(null);
        }
    }

    /** Takes the link down. Only the first failure counts. */
    @Override
    public void fail(LinkFailure why) {
        if (state == LinkState.CLOSING || state.isFinal()) {
            return;
        }
        LinkFailure blamed = blameCandidate(why);
        LOG.warn("{}: down while {}, {}: {}", name, state, blamed.reason(), blamed.message());
        send(new Down(blamed.reason() + ": " + blamed.message()));
        beginClosing(blamed);
    }

    /** Rules out for later links what was being calibrated when bytes were damaged. */
    private LinkFailure blameCandidate(LinkFailure why) {
        Candidate suspect = setup.underTest();
        boolean damage = switch (why.reason()) {
            case BAD_COMPLETION, LENGTH_MISMATCH, CHECKSUM_MISMATCH, STALLED, POST_REFUSED -> true;
            default -> false;
        };
        if (state != LinkState.CALIBRATING || suspect == null || !damage) {
            return why;
        }
        parts.history().broke(suspect, now);
        return new LinkFailure(
                why.reason(), why.message() + "; ruled out for this cable: " + suspect, why.retry(), why.cause());
    }

    private void beginClosing(@Nullable LinkFailure why) {
        failure = why;
        become(LinkState.CLOSING);
        deadlineIn(options.control().toNanos());
        if (dataPath != null) {
            dataPath.fetcher().endAll(notUpBecause(why));
        }
        tell(() -> parts.listener().onDown(why));
        lane.destroy();
    }

    private TransferFailure notUpBecause(@Nullable LinkFailure why) {
        String message = why == null ? name + " was closed" : why.message();
        return new TransferFailure(TransferFailure.Reason.LINK_DOWN, message, why);
    }

    @Override
    public void destroyed() {
        if (state != LinkState.CLOSING) {
            return;
        }
        destroyed = true;
        if (dataPath != null) {
            dataPath.forgetDevice();
        }
    }

    /** Finishes once the queue pair is gone and the last check of a message has ended. */
    private void finishIfSettled() {
        if (destroyed && (dataPath == null || dataPath.fetcher().isIdle())) {
            parts.scratch().release();
            finish(failure == null ? LinkState.CLOSED : LinkState.FAILED);
        }
    }

    @Override
    public void notDestroyed(String why) {
        if (state == LinkState.CLOSING) {
            finishUnsafe(why);
        }
    }

    private void finishUnsafe(String why) {
        LOG.error("{}: {}; memory that the device may still touch is quarantined", name, why);
        List<RegisteredRange> transfers = dataPath == null ? List.of() : dataPath.quarantineAll(why);
        recorder.rangeQuarantined();
        Quarantine quarantine = Quarantine.begin(name, transfers, parts.scratch(), why);
        lane.whenQueuePairIsGone(quarantine::end);
        finish(LinkState.FAILED);
    }

    private void finish(LinkState end) {
        deadlineNanos = null;
        become(end);
        tell(() -> parts.listener().onEnded(end));
    }

    private void tell(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException e) {
            LOG.error("{}: its listener failed; the link goes on", name, e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
