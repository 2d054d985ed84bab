package io.boltshuffle.cli.verify.ladder;

import io.boltshuffle.cli.verify.ladder.RungMessages.PeerFellException;
import io.boltshuffle.rdma.Availability;
import io.boltshuffle.rdma.Device;
import io.boltshuffle.rdma.GrantedDepth;
import io.boltshuffle.rdma.PortAttributes;
import io.boltshuffle.rdma.PortState;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.VerbsProvider;
import io.boltshuffle.rdma.link.LinkDevice;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.setup.GidChoice;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.SlabException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Climbs with a peer, rung by rung. Both call {@link #climb} at about the same time, each with its end of one side
 * channel.
 */
public final class Ladder {

    private static final Logger LOG = LoggerFactory.getLogger(Ladder.class);

    private final VerbsProvider provider;
    private final LadderOptions options;
    private final Conversation conversation;
    private final RungMessages words;
    private final Consumer<Rung.Result> onRung;
    private final List<Rung.Result> results = new ArrayList<>();
    private final ArrayDeque<AutoCloseable> opened = new ArrayDeque<>();

    private String deviceName = "";
    private boolean leads;
    private @Nullable LinkMode mode;
    private @Nullable PortAttributes port;
    private @Nullable GidChoice gids;
    private @Nullable LinkDevice device;
    private @Nullable ProbeMemory memory;
    private @Nullable ProbeQueuePair queuePair;
    private @Nullable RoundTrips latency;
    private CheckedStream.@Nullable Measured measured;

    private Ladder(
            VerbsProvider provider, Conversation conversation, LadderOptions options, Consumer<Rung.Result> onRung) {
        this.provider = provider;
        this.conversation = conversation;
        this.words = new RungMessages(conversation);
        this.options = options;
        this.onRung = onRung;
    }

    /** The work of a rung; it returns what was seen. */
    private interface Step {
        String run() throws VerbsException, SlabException, FallException, PeerFellException;
    }

    /**
     * Climbs as far as both hosts can. Blocks until the top or the first failure, with bounded waits, and leaves
     * nothing open but what a device refused to give back.
     *
     * @param peer closed in any case
     * @param onRung told of each rung at once, on the calling thread
     */
    public static LadderReport climb(
            VerbsProvider provider, SideChannel peer, LadderOptions options, Consumer<Rung.Result> onRung) {
        try (Conversation conversation = new Conversation(peer, options.patience())) {
            Ladder ladder = new Ladder(provider, conversation, options, onRung);
            try {
                ladder.climb();
            } finally {
                ladder.closeAll();
            }
            return ladder.report();
        }
    }

    private void climb() {
        boolean top = rung(Rung.LIBRARY, this::library)
                && rung(Rung.DEVICES, this::devices)
                && rung(Rung.PORT, this::port)
                && rung(Rung.MEMORY, this::memory)
                && rung(Rung.QUEUE_PAIR, this::queuePair)
                && rung(Rung.CONNECTION, this::connection)
                && rung(Rung.PING_PONG, this::pingPong)
                && rung(Rung.CHECKED_STREAM, this::checkedStream);
        LOG.debug("ladder on {}: {}", deviceName, top ? "reached the top" : "stopped");
    }

    private LadderReport report() {
        CheckedStream.Measured seen = measured;
        return new LadderReport(
                List.copyOf(results),
                latency,
                seen == null ? List.of() : seen.calibration(),
                seen == null ? null : seen.stream(),
                seen == null ? null : seen.cost());
    }

    /** One rung on both hosts: it holds if it holds for both. */
    private boolean rung(Rung rung, Step step) {
        Rung.Result result;
        try {
            String detail = stepped(step);
            words.sayHeld();
            words.hearHeld();
            result = Rung.Result.passed(rung, detail);
        } catch (FallException fall) {
            result = new Rung.Result(rung, false, fall.what(), fall.remedy());
        } catch (PeerFellException e) {
            result = new Rung.Result(rung, false, "on the other host: " + e.getMessage(), "");
        }
        results.add(result);
        onRung.accept(result);
        return result.passed();
    }

    /** Runs a step and tells the peer when it fails here. */
    private String stepped(Step step) throws FallException, PeerFellException {
        FallException fall;
        try {
            return step.run();
        } catch (VerbsException e) {
            fall = FallException.of(e);
        } catch (SlabException e) {
            fall = new FallException(String.valueOf(e.getMessage()), "");
        } catch (FallException e) {
            fall = e;
        }
        try {
            words.sayFell(fall);
        } catch (FallException silent) {
            fall.addSuppressed(silent);
        }
        throw fall;
    }

    private String library() throws FallException {
        Availability availability = provider.availability();
        if (availability instanceof Availability.Unavailable missing) {
            throw new FallException(missing.reason(), missing.remedy());
        }
        return provider.name() + " is loaded";
    }

    private String devices() throws VerbsException, FallException {
        List<String> names = provider.deviceNames();
        if (names.isEmpty()) {
            throw new FallException(
                    provider.name() + " has no device",
                    "on a Mac: Thunderbolt 5, macOS 26.2 or newer, and RDMA switched on, in System Settings or by"
                            + " rdma_ctl enable in Recovery; on Linux: rdma link show");
        }
        String wanted = options.device();
        if (wanted != null && !names.contains(wanted)) {
            throw new FallException(
                    "there is no device " + wanted + " among " + names,
                    "names change when a cable is plugged in again: choose one of those present");
        }
        deviceName = wanted == null
                ? onlyActive(fastEnough(names))
                : fastEnough(List.of(wanted)).get(0);
        return deviceName + " of " + names;
    }

    /** Leaves out devices that must not be opened. */
    private List<String> fastEnough(List<String> names) throws FallException {
        List<String> fast = names.stream()
                .filter(name -> options.thunderbolt().refusal(name).isEmpty())
                .toList();
        if (fast.isEmpty()) {
            throw new FallException(
                    options.thunderbolt().refusal(names.get(0)).orElseThrow(),
                    "use a cable marked Thunderbolt 5, straight from Mac to Mac, and two Macs with Thunderbolt 5");
        }
        return fast;
    }

    private String onlyActive(List<String> names) throws VerbsException, FallException {
        List<String> active = new ArrayList<>();
        for (String name : names) {
            Device candidate = provider.open(name);
            try {
                if (candidate.queryPort(options.port()).state() == PortState.ACTIVE) {
                    active.add(name);
                }
            } finally {
                candidate.close();
            }
        }
        if (active.size() != 1) {
            throw new FallException(
                    active.isEmpty() ? "no port of " + names + " is active" : active + " are all active",
                    active.isEmpty() ? "check the cable and that the peer is awake" : "name the device to use");
        }
        return active.get(0);
    }

    private String port() throws VerbsException, FallException, PeerFellException {
        ExecutorService control = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "bolt-verify-control");
            thread.setDaemon(true);
            return thread;
        });
        opened.push(control::shutdown);
        LinkDevice made = LinkDevice.open(provider, deviceName, options.port(), control);
        opened.push(made);
        device = made;
        PortAttributes attributes = made.device().queryPort(made.port());
        port = attributes;
        GidChoice choice = GidChoice.among(made.device().gids(made.port()), options.interfaceAddresses());
        gids = choice;
        if (choice.ipv4() == null && choice.linkLocal() == null) {
            throw new FallException(
                    deviceName + " has no GID that is an address", "give the interface of the device an address");
        }
        LinkMode own = options.mode() == null ? LinkMode.best(attributes.linkLayer()) : options.mode();
        mode = own;
        agreeOnRoles(own);
        return attributes.linkLayer() + ", " + Math.round(attributes.gigabitsPerSecond()) + " Gb/s, mode " + own + ", "
                + choice.toAddresses();
    }

    /** Draws which host goes first; the mode must be the same on both. */
    private void agreeOnRoles(LinkMode own) throws FallException, PeerFellException {
        long lot = new SecureRandom().nextLong();
        words.say(ByteBuffer.allocate(Long.BYTES + 1)
                .putLong(lot)
                .put((byte) (own == LinkMode.READ ? 1 : 0))
                .flip());
        ByteBuffer theirs = words.hear();
        leads = Long.compare(lot, theirs.getLong()) > 0;
        boolean theyRead = theirs.get() == 1;
        if (theyRead != (own == LinkMode.READ)) {
            throw new FallException(
                    "this host would use mode " + own + ", the other does not", "name the same mode on both hosts");
        }
    }

    private String memory() throws VerbsException, SlabException {
        ProbeMemory made = ProbeMemory.open(device(), mode(), options.slabBytes());
        opened.push(made);
        memory = made;
        return made.describe();
    }

    private String queuePair() throws VerbsException {
        ProbeQueuePair made =
                ProbeQueuePair.open(device(), mode(), Objects.requireNonNull(port), Objects.requireNonNull(gids));
        opened.push(made);
        queuePair = made;
        GrantedDepth granted = made.granted();
        return "asked for " + ProbeQueuePair.DEPTH + " frames each way, granted " + granted.send() + " and "
                + granted.receive();
    }

    private String connection() throws VerbsException, FallException, PeerFellException {
        words.say(probe().facts());
        return probe().connect(words.hear());
    }

    private String pingPong() throws VerbsException, FallException, PeerFellException {
        Lease lease = probeMemory().lease(PingPong.MEMORY_BYTES);
        try {
            PingPong game = new PingPong(probe(), probeMemory().range(lease), options.patience());
            game.prepare();
            // Both have posted receives when both have heard this.
            words.say(ByteBuffer.allocate(0));
            words.hear();
            RoundTrips seen;
            if (leads) {
                seen = game.lead(options.pingPongRounds());
                words.say(seen.encode());
            } else {
                game.follow();
                // Comes when the leader has the last message, which may be on its way out of this queue pair until
                // then.
                seen = RoundTrips.decode(words.hear());
            }
            latency = seen;
            return String.format(
                    Locale.ROOT, "4 KiB round trip %.1f us median, %.1f us in 99 of 100", seen.p50(), seen.p99());
        } finally {
            closeQueuePair();
            lease.release();
        }
    }

    /** Closes the queue pair before its memory is given back, and before the stream needs one: devices have few. */
    private void closeQueuePair() throws VerbsException {
        ProbeQueuePair open = queuePair;
        if (open != null) {
            queuePair = null;
            opened.remove(open);
            open.close();
        }
    }

    private String checkedStream() throws FallException, PeerFellException {
        CheckedStream.Measured seen =
                new CheckedStream(device(), probeMemory(), options, conversation, words).run(mode(), leads);
        measured = seen;
        return String.format(
                Locale.ROOT,
                "%.2f GB/s to this host in messages of %d KiB",
                seen.stream().gigabytesPerSecond(),
                seen.stream().messageBytes() >> 10);
    }

    private void closeAll() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                LOG.warn("{}: not everything could be closed: {}", deviceName, e.toString());
            }
        }
    }

    private LinkDevice device() {
        return Objects.requireNonNull(device);
    }

    private LinkMode mode() {
        return Objects.requireNonNull(mode);
    }

    private ProbeMemory probeMemory() {
        return Objects.requireNonNull(memory);
    }

    private ProbeQueuePair probe() {
        return Objects.requireNonNull(queuePair);
    }
}
