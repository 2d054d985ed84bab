package io.boltshuffle.agent.cable;

import io.boltshuffle.agent.base.CloseStack;
import io.boltshuffle.conf.ChecksumChoice;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.rdma.LinkLayer;
import io.boltshuffle.rdma.VerbsProvider;
import io.boltshuffle.rdma.link.CalibrationHistory;
import io.boltshuffle.rdma.link.LeasedRange;
import io.boltshuffle.rdma.link.Link;
import io.boltshuffle.rdma.link.LinkCounters;
import io.boltshuffle.rdma.link.LinkDevice;
import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.LinkParts;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.rdma.link.OutOfBand;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.link.engine.LinkPoller;
import io.boltshuffle.rdma.link.engine.QueuePairLink;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.ReadableRegions;
import io.boltshuffle.rdma.memory.RegistrationRequest;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabRegistration;
import io.boltshuffle.wire.PortName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One port: its open device, the slab's registration with it, its poller, and the links on it.
 *
 * <p>The device is opened for the first link and closed after the last, because after a pulled cable everything made
 * from it is dead. While nothing moves, the port is looked at each second: unused links would not notice that the cable
 * is out, and the next post to one may crash the process. Without links and with its port gone, the unit ends, its
 * thread too. While other programs hold all that the device has of something, it is left alone.
 *
 * <p><b>Threads:</b> state belongs to the control thread, which also makes the control calls of the links.
 */
public final class PortUnit {

    /** The owner of the unit. It is called on the control thread. */
    interface Owner {

        /** Returns whether the port was there when ports were looked for last. */
        boolean isThere(PortName port);

        /** The unit opens no more links. */
        void onEnded(PortUnit unit);
    }

    /** The parts that all units of an agent have in common. */
    record Parts(
            VerbsProvider provider,
            Slab slab,
            LeasePool pool,
            ScratchBudget scratch,
            Settings settings,
            InstantSource clock) {}

    private static final Logger LOG = LoggerFactory.getLogger(PortUnit.class);
    private static final String RDMA_PREFIX = "rdma_";

    /**
     * Areas of a link that its peer may read: one for calibration, and twice what is staged at once, because
     * deregistering takes a moment after a share of the staging budget is back.
     */
    public static final int READABLE_PER_LINK = 64;

    private static final long CLOSE_SECONDS = 15;
    private static final long LOOK_SECONDS = 1;

    private final PortName port;
    private final Parts parts;
    private final Owner owner;
    private final ScheduledExecutorService control;
    private final CalibrationHistory history = new CalibrationHistory();
    private final Set<Link> links = new HashSet<>();
    private final Shortage shortage;
    private @Nullable Opened opened;
    private long movedBefore;
    private Runnable whenUnused = () -> {};
    private boolean ended;
    private volatile String state = "not in use";

    /** The resources that exist while there are links. */
    private record Opened(
            LinkDevice device,
            LinkMode mode,
            SlabRegistration registration,
            ReadableMemory readable,
            LinkPoller poller,
            Future<?> looks) {}

    PortUnit(PortName port, Parts parts, Owner owner) {
        this.port = port;
        this.parts = parts;
        this.owner = owner;
        this.shortage = new Shortage(port.device(), parts.clock());
        this.control = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "bolt-port-" + port.device());
            thread.setDaemon(true);
            return thread;
        });
    }

    CompletableFuture<ActiveLink> open(int linkId, OutOfBand channel, LinkListener listener) {
        CompletableFuture<ActiveLink> answer = new CompletableFuture<>();
        boolean accepted = tryExecute(() -> {
            try {
                answer.complete(openNow(linkId, channel, listener));
            } catch (Throwable e) {
                closeIfUnused();
                state = "failed: " + e.getMessage();
                shortage.onFailure(e);
                answer.completeExceptionally(e);
            }
        });
        if (!accepted) {
            answer.completeExceptionally(gone());
        }
        return answer;
    }

    /** Returns why the device is to be left alone for now; null if it may be tried. */
    @Nullable String resting() {
        return shortage.resting();
    }

    /** Ports were looked for: ends the unit if its port is gone and no link is left. */
    void endIfGone() {
        if (!owner.isThere(port)) {
            boolean unused = tryExecute(this::closeIfUnused);
        }
    }

    private boolean tryExecute(Runnable task) {
        try {
            control.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private IOException gone() {
        return new IOException(port + " is gone; it may be back by another name");
    }

    PortName port() {
        return port;
    }

    PortStatus status() {
        String rest = shortage.status();
        return new PortStatus(port.device(), port.port(), rest.isEmpty() ? state : rest);
    }

    /** Ends the links and waits until the device is closed, for a bounded time. */
    void close() throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        boolean accepted = tryExecute(() -> {
            whenUnused = closed::countDown;
            links.forEach(link -> link.close(System.nanoTime()));
            closeIfUnused();
        });
        if (!accepted) {
            return;
        }
        if (!closed.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
            LOG.error("{}: links did not end in time, the device is left as it is", port);
        }
        control.shutdown();
    }

    private ActiveLink openNow(int linkId, OutOfBand channel, LinkListener listener) throws IOException {
        if (ended) {
            throw gone();
        }
        String rest = resting();
        if (rest != null) {
            throw new RestingException(rest);
        }
        Opened with = opened;
        if (with == null) {
            with = openDevice();
            opened = with;
        }
        SlabRegistration registration = with.registration();
        boolean isRead = with.mode() == LinkMode.READ;
        ReadableRegions readable =
                new ReadableRegions(with.device().protectionDomain(), port.device(), READABLE_PER_LINK);
        CloseStack ofLink = new CloseStack();
        try {
            Lease scratch = parts.scratch().take(port);
            ofLink.push("scratch of " + port, () -> parts.scratch().giveBack(scratch));
            ofLink.push("what a peer may read at " + port, () -> close(readable));
            // Where the peer reads, it has to be let at the pattern.
            RegisteredRange scratchRange =
                    isRead ? with.readable().rangeOf(scratch, readable) : new LeasedRange(scratch, registration);
            CompletableFuture<Link> started = new CompletableFuture<>();
            LinkParts setup = new LinkParts(
                    with.device(),
                    scratchRange,
                    channel,
                    new PortListener(listener, () -> control.execute(() -> onEnded(started.join(), ofLink))),
                    options(with.mode()),
                    history,
                    null,
                    new SecureRandom());
            Link link = QueuePairLink.start(setup, with.poller());
            started.complete(link);
            links.add(link);
            state = "in use";
            MemoryWindow window = isRead ? with.readable().windowOf(readable) : null;
            return new ActiveLink(linkId, link, lease -> new LeasedRange(lease, registration), window, new LinkMeter());
        } catch (Throwable e) {
            ofLink.close();
            throw e;
        }
    }

    private LinkOptions options(LinkMode mode) throws SocketException {
        LinkOptions defaults = LinkOptions.defaults(mode);
        // A link that fails leaves time for another attempt within first contact; one that stalls is as dead as its
        // peer. Impatient settings do not make the device impatient, too.
        Duration attempt = parts.settings()
                .get(Options.AGENT_CONNECT_TIMEOUT)
                .multipliedBy(2)
                .dividedBy(3);
        Duration silence = parts.settings().get(Options.AGENT_HEARTBEAT_TIMEOUT);
        LinkOptions options = defaults.withTimeouts(
                        longer(defaults.setup(), attempt),
                        longer(defaults.stall(), silence),
                        longer(defaults.control(), attempt))
                .withDeadlinesTimes(parts.settings().get(Options.AGENT_DEADLINE_SCALE))
                .withInterfaceAddresses(interfaceAddresses());
        boolean hardwareChecks = mode == LinkMode.READ;
        return hardwareChecks && parts.settings().get(Options.AGENT_CHECKSUM) == ChecksumChoice.AUTO
                ? options.withoutSums()
                : options;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    private Opened openDevice() throws IOException {
        CloseStack opening = new CloseStack();
        try {
            LinkDevice device = LinkDevice.open(parts.provider(), port.device(), port.port(), control);
            opening.push("device " + port, device);
            LinkLayer layer = device.device().queryPort(port.port()).linkLayer();
            LinkMode mode = mode(layer);
            RegistrationRequest request =
                    mode == LinkMode.SEND ? RegistrationRequest.forSendMode() : RegistrationRequest.forReadersOwnUse();
            SlabRegistration registration =
                    SlabRegistration.register(parts.slab(), device.protectionDomain(), port.device(), request);
            opening.push("registration with " + port, registration);
            ReadableMemory readable = ReadableMemory.of(port, device, registration);
            LinkPoller poller = LinkPoller.start("bolt-poller-" + port.device());
            opening.push("poller of " + port, poller);
            return new Opened(
                    device,
                    mode,
                    registration,
                    readable,
                    poller,
                    control.scheduleWithFixedDelay(() -> lookAt(device), LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS));
        } catch (Throwable e) {
            opening.close();
            throw e;
        }
    }

    /** Posts that traffic makes notice a dead cable themselves, and a port in use is better left alone. */
    private void lookAt(LinkDevice device) {
        long moved =
                links.stream().map(Link::counters).mapToLong(PortUnit::moved).sum();
        boolean idle = moved == movedBefore;
        movedBefore = moved;
        if (!idle) {
            return;
        }
        try {
            device.checkActive();
        } catch (IOException | RuntimeException e) {
            links.forEach(link -> link.onPortLost(String.valueOf(e.getMessage())));
        }
    }

    private static long moved(LinkCounters counters) {
        return counters.bytesVerified()
                + counters.bytesServed()
                + counters.calibrationBytes()
                + counters.messagesVerified();
    }

    private LinkMode mode(LinkLayer layer) {
        return switch (parts.settings().get(Options.AGENT_LINK_MODE)) {
            case AUTO -> LinkMode.best(layer);
            case SEND -> LinkMode.SEND;
            case READ -> LinkMode.READ;
        };
    }

    /** Addresses of the interface that the device belongs to, as far as its name tells it. */
    private Set<InetAddress> interfaceAddresses() throws SocketException {
        String name =
                port.device().startsWith(RDMA_PREFIX) ? port.device().substring(RDMA_PREFIX.length()) : port.device();
        NetworkInterface found = NetworkInterface.getByName(name);
        return found == null ? Set.of() : found.inetAddresses().collect(Collectors.toSet());
    }

    private void close(ReadableRegions readable) {
        try {
            readable.close();
        } catch (IOException e) {
            LOG.error("{}: memory is leaked on purpose, a peer may read it still", port, e);
        }
    }

    private void onEnded(Link link, CloseStack ofLink) {
        links.remove(link);
        ofLink.close();
        closeIfUnused();
    }

    private void closeIfUnused() {
        if (!links.isEmpty()) {
            return;
        }
        Opened idle = opened;
        opened = null;
        if (idle != null) {
            state = "not in use";
            closeDevice(idle);
        }
        whenUnused.run();
        if (!ended && !owner.isThere(port)) {
            ended = true;
            owner.onEnded(this);
            control.shutdown();
        }
    }

    private void closeDevice(Opened idle) {
        try (CloseStack closing = new CloseStack()) {
            closing.push("device " + port, idle.device());
            closing.push("registration with " + port, idle.registration());
            closing.push("outputs that peers may read at " + port, idle.readable());
            closing.push("poller of " + port, idle.poller());
            closing.push("looks at " + port, () -> idle.looks().cancel(false));
        }
    }

    /** Passes on what the link says, and hears of its beginning and its end. */
    private final class PortListener implements LinkListener {
        private final LinkListener listener;
        private final Runnable whenEnded;

        PortListener(LinkListener listener, Runnable whenEnded) {
            this.listener = listener;
            this.whenEnded = whenEnded;
        }

        @Override
        public void onUp(LinkReport report) {
            boolean unused = tryExecute(shortage::onLinkUp);
            listener.onUp(report);
        }

        @Override
        public void onDown(@Nullable LinkFailure failure) {
            boolean unused = tryExecute(() -> shortage.onFailure(failure == null ? null : failure.cause()));
            listener.onDown(failure);
        }

        @Override
        public void onEnded(LinkState end) {
            try {
                whenEnded.run();
            } finally {
                listener.onEnded(end);
            }
        }
    }
}
