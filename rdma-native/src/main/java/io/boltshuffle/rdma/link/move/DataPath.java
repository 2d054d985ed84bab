package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.CompletionStatus;
import io.boltshuffle.rdma.Completions;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.MessageChecksums;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.link.move.WorkTable.Side;
import io.boltshuffle.rdma.link.move.WorkTable.Slot;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Grant;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Skipped;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The transfers over a connected queue pair, in both directions.
 *
 * <p><b>Threads:</b> confined to the thread that has the link's turn: the poller, or another between two of its rounds.
 */
public final class DataPath {

    private static final int MAX_SKIPS = 1 << 16;

    /** Checking so few bytes takes less than handing them to another thread. */
    private static final int CHECKED_HERE_BYTES = 64 * 1024;

    private final LinkMode mode;
    private final Endpoint endpoint;
    private final Fetcher fetcher;
    private final Serving serving;
    private final ServedRanges servedRanges;
    private final Ways ways;
    private final CRC32C crc = new CRC32C();
    private final StallWatch fetchWatch;
    private final StallWatch serveWatch;
    private final ArrivalRate rate = new ArrivalRate();
    private final TokenSet withdrawnByPeer = new TokenSet();
    private final Set<Long> unansweredSkips = new LinkedHashSet<>();

    /**
     * @param filler memory that the link sends in place of an offer that was withdrawn
     * @param peerReceiveFrames what the peer can have posted at most
     */
    public DataPath(Endpoint endpoint, LinkOptions options, ServedRange filler, int peerReceiveFrames, Ways ways) {
        this.mode = options.mode();
        this.endpoint = endpoint;
        this.ways = ways;
        this.servedRanges = new ServedRanges(ways.recorder());
        servedRanges.add(filler);
        this.fetchWatch = new StallWatch(options.stall().toNanos());
        this.serveWatch = new StallWatch(options.stall().toNanos());
        if (mode == LinkMode.SEND) {
            FrameBudget receives = new FrameBudget(endpoint.granted().receive(), endpoint.maxMessages());
            this.fetcher =
                    new Fetcher(receives, new ReceivePoster(endpoint, ways.peer()), this::check, ways.recorder());
            this.serving =
                    new SendQueue(endpoint, servedRanges, filler, peerReceiveFrames, ways.peer(), ways.recorder());
        } else {
            FrameBudget sends = new FrameBudget(endpoint.granted().send(), endpoint.maxMessages());
            this.fetcher = new Fetcher(sends, new ReadPoster(endpoint), this::check, ways.recorder());
            this.serving = new RemoteReads(servedRanges, ways.peer(), serveWatch::progress);
        }
    }

    /**
     * The ways from a data path to the rest of the link.
     *
     * @param peer sends a message over the channel
     * @param poller carries a command to the poller
     * @param checksums where large messages are checked, or null for the poller itself
     */
    public record Ways(
            Consumer<LinkMessage> peer,
            Consumer<LinkCommand> poller,
            @Nullable Executor checksums,
            LinkRecorder recorder) {}

    private void check(Slot<Fetch> slot) throws LinkDownException {
        if (!slot.holder().offer().isSummed()) {
            fetcher.arrived(slot);
            return;
        }
        ByteBuffer bytes = slot.holder().bytes(slot.message(), slot.length());
        if (ways.checksums() == null || slot.length() <= CHECKED_HERE_BYTES) {
            fetcher.checked(slot, MessageChecksums.of(crc, bytes));
            return;
        }
        Runnable check = () -> {
            int checksum = MessageChecksums.of(new CRC32C(), bytes);
            ways.poller().accept(() -> checked(slot, checksum));
        };
        try {
            ways.checksums().execute(check);
        } catch (RejectedExecutionException e) {
            fetcher.checked(slot, MessageChecksums.of(crc, bytes));
        }
    }

    private void checked(Slot<Fetch> slot, int checksum) throws LinkDownException {
        fetchWatch.progress();
        fetcher.checked(slot, checksum);
    }

    public Fetcher fetcher() {
        return fetcher;
    }

    public Serving serving() {
        return serving;
    }

    public ServedRanges servedRanges() {
        return servedRanges;
    }

    /** Starts a transfer, unless the peer has withdrawn its offer meanwhile: nothing may read that any more. */
    public void fetch(Fetch fetch) {
        fetcher.start(fetch);
        if (withdrawnByPeer.contains(fetch.offer().key().token())) {
            fetcher.withdrawn(fetch.offer().key().token());
        }
    }

    /**
     * Starts a transfer as {@link #fetch} does, between two rounds, and posts at once as much as the window has room
     * for.
     */
    public void fetchNow(Fetch fetch, long nowNanos) throws LinkDownException {
        if (!fetcher.isBusy()) {
            rate.idle(nowNanos);
        }
        fetch(fetch);
        fetcher.pump();
    }

    /** Takes what completed and posts what became possible. Returns how many completions there were. */
    public int poll(long nowNanos) throws LinkDownException {
        if (!fetcher.isBusy()) {
            rate.idle(nowNanos);
        }
        int count = takeCompletions(nowNanos);
        // Checking takes a while: what arrived makes room first, and the peer sends on meanwhile.
        fetcher.pump();
        fetcher.checkArrived();
        fetcher.expire(nowNanos);
        fetcher.pump();
        serving.pump();
        answerSkips();
        watch(nowNanos);
        return count;
    }

    /**
     * The peer granted receives: posts sends for them. Takes completions only to make room, and leaves to {@link #poll}
     * what they lead to.
     *
     * @return true if there is something for {@link #poll}
     */
    public boolean serve(List<Grant> grants, long nowNanos) throws LinkDownException {
        serving.granted(grants);
        serving.pump();
        while (serving.isHeldUp() && takeCompletions(nowNanos) > 0) {
            serving.pump();
        }
        return serving.isHeldUp() || fetcher.hasUnchecked();
    }

    /**
     * An offer was withdrawn between two rounds: takes the completions that it may wait for, and leaves to {@link
     * #poll} what else they lead to.
     *
     * @return true if there is something for {@link #poll}
     */
    public boolean letGoOfWithdrawn(long nowNanos) throws LinkDownException {
        if (servedRanges.isAnyAwaited()) {
            takeCompletions(nowNanos);
        }
        return servedRanges.isAnyAwaited() || serving.isHeldUp() || fetcher.hasUnchecked();
    }

    private int takeCompletions(long nowNanos) throws LinkDownException {
        int count;
        try {
            count = endpoint.poll();
        } catch (VerbsException e) {
            throw new LinkDownException(Reason.BAD_COMPLETION, "polling failed: " + e.getMessage(), e);
        }
        Completions completions = endpoint.completions();
        for (int i = 0; i < count; i++) {
            take(completions, i);
        }
        rate.arrived(fetchedBytes(completions, count), fetcher.isAwaiting(), nowNanos);
        return count;
    }

    private static long fetchedBytes(Completions completions, int count) {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            if (Side.of(completions.workRequestId(i)) == Side.FETCHING) {
                bytes += completions.byteLength(i);
            }
        }
        return bytes;
    }

    private void take(Completions completions, int index) throws LinkDownException {
        long workRequestId = completions.workRequestId(index);
        if (completions.status(index) != 0) {
            throw new LinkDownException(
                    Reason.BAD_COMPLETION,
                    Side.of(workRequestId) + " work on " + endpoint.deviceName() + " completed with "
                            + CompletionStatus.of(completions.status(index)) + " (vendor code "
                            + completions.vendorError(index) + ")");
        }
        if (Side.of(workRequestId) == Side.FETCHING) {
            fetchWatch.progress();
            fetcher.completed(workRequestId, completions.byteLength(index));
        } else {
            serveWatch.progress();
            serving.completed(workRequestId);
        }
    }

    /**
     * The peer withdrew an offer: nothing more is fetched of it, and the peer is told when nothing reads it any more.
     */
    public void skip(long token) throws LinkDownException {
        fetcher.withdrawn(token);
        withdrawnByPeer.add(token);
        unansweredSkips.add(token);
        if (unansweredSkips.size() > MAX_SKIPS || withdrawnByPeer.rangeCount() > MAX_SKIPS) {
            throw new LinkDownException(Reason.PROTOCOL_VIOLATION, "the peer withdrew too many offers out of order");
        }
    }

    /**
     * Answers withdrawals. In send mode it answers at once, because filler for posted messages comes only after the
     * answer.
     */
    private void answerSkips() {
        for (Iterator<Long> tokens = unansweredSkips.iterator(); tokens.hasNext(); ) {
            long token = tokens.next();
            if (mode == LinkMode.SEND || !fetcher.isAtDevice(token)) {
                tokens.remove();
                ways.peer().accept(new Skipped(token));
            }
        }
    }

    private void watch(long nowNanos) throws LinkDownException {
        fetchWatch.observe(fetcher.isBusy(), nowNanos);
        serveWatch.observe(serving.isBusy(), nowNanos);
        if (fetchWatch.isStalled(nowNanos)) {
            throw new LinkDownException(
                    Reason.STALLED, "nothing arrives on " + endpoint.deviceName() + ": the peer or the cable is dead");
        }
        if (serveWatch.isStalled(nowNanos)) {
            throw new LinkDownException(
                    Reason.STALLED, "nothing leaves on " + endpoint.deviceName() + ": the peer or the cable is dead");
        }
    }

    /** Returns when the link must act if no completion comes, or null. */
    public @Nullable Long nextDeadlineNanos() {
        return Deadlines.earlier(
                fetcher.nextDeadlineNanos(), Deadlines.earlier(fetchWatch.deadlineNanos(), serveWatch.deadlineNanos()));
    }

    /** Bytes at the device or being checked. */
    public long bytesUnderWay() {
        return fetcher.bytesUnderWay() + serving.postedBytes();
    }

    /**
     * Returns how long until another round is worth it: as soon as the window can be refilled, while the rest of it
     * keeps the cable busy. Serving can wait until there is no room for more, unless its memory is wanted back.
     */
    public long expectedNanos(double guessedBytesPerNano) {
        double expected = Pacing.LONGEST_SERVING_NANOS;
        if (serving.isHeldUp()) {
            expected = serving.postedBytes() / guessedBytesPerNano;
        } else if (servedRanges.isAnyAwaited()) {
            expected = Pacing.LONGEST_BUSY_NANOS;
        }
        if (fetcher.isBusy()) {
            double arrival = fetcher.refillableBytes() / rate.bytesPerNano(guessedBytesPerNano);
            expected = Math.min(expected, Math.min(arrival, Pacing.LONGEST_BUSY_NANOS));
        }
        return (long) expected;
    }

    /** The queue pair is destroyed: only checks that are still running touch memory. */
    public void forgetDevice() {
        fetcher.forgetDevice();
        servedRanges.releaseAll();
    }

    /** Returns what may leave quarantine as soon as the queue pair is destroyed. */
    public List<RegisteredRange> quarantineAll(String reason) {
        List<RegisteredRange> doubtful = new ArrayList<>(fetcher.quarantineAll(reason));
        doubtful.addAll(servedRanges.quarantineAll(reason));
        return doubtful;
    }
}
