package io.boltshuffle.agent;

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
import io.boltshuffle.rdma.link.LinkPoller;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkSetup;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.OutOfBand;
import io.boltshuffle.rdma.link.QueuePairLink;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
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
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One port: its open device, the slab's registration with it, its poller, and the links on it.
 *
 * <p>The device is opened for the first link and closed after the last, because after a pulled cable everything made from it
 * is dead. While nothing moves, the port is looked at each second: links that nobody uses would not notice that the cable is
 * out, and the next post to one may crash the process.
 *
 * <p><b>Threads:</b> state belongs to the control thread, which also makes the control calls of the links.
 */
final class PortUnit {

    private static final Logger LOG = LoggerFactory.getLogger(PortUnit.class);
    private static final String RDMA_PREFIX = "rdma_";

    /** For a window of 8 MiB, half of it; a link never has more under way than it measured. */
    private static final long SCRATCH_BYTES = 16L << 20;

    /** Of a small slab not more than this part for each link. */
    private static final long SLAB_PER_SCRATCH = 16;

    /** One for calibration, and what is staged; deregistering takes a moment after a share of the staging budget is back. */
    private static final int READABLE_PER_LINK = 2 * StagingBudget.MAX_READABLE;

    private static final long CLOSE_SECONDS = 15;
    private static final long LOOK_SECONDS = 1;

    private final PortName port;
    private final VerbsProvider provider;
    private final Slab slab;
    private final LeasePool pool;
    private final Settings settings;
    private final ScheduledExecutorService control;
    private final CalibrationHistory history = new CalibrationHistory();
    private final Set<Link> links = new HashSet<>();
    private @Nullable Opened opened;
    private long movedBefore;
    private Runnable whenUnused = () -> {};
    private volatile String state = "not in use";

    /** What exists while there are links. */
    private record Opened(
            LinkDevice device, LinkMode mode, SlabRegistration registration, LinkPoller poller, Future<?> looks) {}

    PortUnit(PortName port, VerbsProvider provider, Slab slab, LeasePool pool, Settings settings) {
        this.port = port;
        this.provider = provider;
        this.slab = slab;
        this.pool = pool;
        this.settings = settings;
        this.control = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "bolt-port-" + port.device());
            thread.setDaemon(true);
            return thread;
        });
    }

    CompletableFuture<ActiveLink> open(int linkId, OutOfBand channel, LinkListener listener) {
        CompletableFuture<ActiveLink> answer = new CompletableFuture<>();
        control.execute(() -> {
            try {
                answer.complete(openNow(linkId, channel, listener));
            } catch (IOException | RuntimeException e) {
                closeIfUnused();
                state = "failed: " + e.getMessage();
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    PortStatus status() {
        return new PortStatus(port.device(), port.port(), state);
    }

    /** Ends the links and waits until the device is closed, for a bounded time. */
    void close() throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        control.execute(() -> {
            whenUnused = closed::countDown;
            links.forEach(link -> link.close(System.nanoTime()));
            closeIfUnused();
        });
        if (!closed.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
            LOG.error("{}: links did not end in time, the device is left as it is", port);
        }
        control.shutdown();
    }

    private ActiveLink openNow(int linkId, OutOfBand channel, LinkListener listener) throws IOException {
        Opened with = opened;
        if (with == null) {
            with = openDevice();
            opened = with;
        }
        SlabRegistration registration = with.registration();
        Lease scratch = pool.tryAcquire(new LeaseOwner("calibration of " + port), scratchBytes())
                .orElseThrow(() -> new IOException("no memory to calibrate " + port + " with"));
        ReadableRegions readable =
                new ReadableRegions(with.device().protectionDomain(), port.device(), READABLE_PER_LINK);
        boolean isRead = with.mode() == LinkMode.READ;
        RegisteredRange scratchRange = scratchRange(isRead, scratch, readable, registration);
        CompletableFuture<Link> started = new CompletableFuture<>();
        LinkSetup setup = new LinkSetup(
                with.device(),
                scratchRange,
                channel,
                new EndListener(listener, () -> control.execute(() -> onEnded(started.join(), scratch, readable))),
                options(with.mode()),
                history,
                null,
                new SecureRandom());
        Link link = QueuePairLink.start(setup, with.poller());
        started.complete(link);
        links.add(link);
        state = "in use";
        MemoryWindow window = isRead ? RegionOpening.window(readable, registration, control) : null;
        return new ActiveLink(linkId, link, lease -> new LeasedRange(lease, registration), window, new LinkMeter());
    }

    /** Where the peer reads, it has to be let at the pattern. */
    private static RegisteredRange scratchRange(
            boolean isRead, Lease scratch, ReadableRegions readable, SlabRegistration registration) throws IOException {
        try {
            return isRead
                    ? RegionOpening.rangeOf(scratch, readable, registration)
                    : new LeasedRange(scratch, registration);
        } catch (IOException | RuntimeException e) {
            Leases.giveBack(scratch);
            throw e;
        }
    }

    private long scratchBytes() {
        return Math.min(SCRATCH_BYTES, slab.bytes() / SLAB_PER_SCRATCH);
    }

    private LinkOptions options(LinkMode mode) throws SocketException {
        LinkOptions defaults = LinkOptions.defaults(mode);
        // A link that fails leaves time for another attempt within first contact; one that stalls is as dead as its
        // peer. Impatient settings do not make the device impatient, too.
        Duration attempt =
                settings.get(Options.AGENT_CONNECT_TIMEOUT).multipliedBy(2).dividedBy(3);
        Duration silence = settings.get(Options.AGENT_HEARTBEAT_TIMEOUT);
        LinkOptions options = defaults.withTimeouts(
                        longer(defaults.setup(), attempt),
                        longer(defaults.stall(), silence),
                        longer(defaults.control(), attempt))
                .withInterfaceAddresses(interfaceAddresses());
        boolean hardwareChecks = mode == LinkMode.READ;
        return hardwareChecks && settings.get(Options.AGENT_CHECKSUM) == ChecksumChoice.AUTO
                ? options.withoutSums()
                : options;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    private Opened openDevice() throws IOException {
        LinkDevice device = LinkDevice.open(provider, port.device(), port.port(), control);
        try {
            LinkLayer layer = device.device().queryPort(port.port()).linkLayer();
            LinkMode mode = mode(layer);
            RegistrationRequest request =
                    mode == LinkMode.SEND ? RegistrationRequest.forSendMode() : RegistrationRequest.forReadersOwnUse();
            SlabRegistration registration =
                    SlabRegistration.register(slab, device.protectionDomain(), port.device(), request);
            return new Opened(
                    device,
                    mode,
                    registration,
                    LinkPoller.start("bolt-poller-" + port.device()),
                    control.scheduleWithFixedDelay(() -> lookAt(device), LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS));
        } catch (IOException | RuntimeException e) {
            device.close();
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
        return counters.bytesVerified() + counters.bytesServed() + counters.messagesVerified();
    }

    private LinkMode mode(LinkLayer layer) {
        return switch (settings.get(Options.AGENT_LINK_MODE)) {
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

    private void onEnded(Link link, Lease scratch, ReadableRegions readable) {
        links.remove(link);
        try {
            readable.close();
        } catch (IOException | RuntimeException e) {
            LOG.error("{}: memory is leaked on purpose, a peer may read it still", port, e);
        }
        Leases.giveBack(scratch);
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
    }

    private void closeDevice(Opened idle) {
        try (CloseStack closing = new CloseStack()) {
            closing.push("device " + port, idle.device());
            closing.push("registration with " + port, idle.registration());
            closing.push("poller of " + port, idle.poller());
            closing.push("looks at " + port, () -> idle.looks().cancel(false));
        }
    }

    /** Passes on what the link says, and hears of its end. */
    private record EndListener(LinkListener listener, Runnable whenEnded) implements LinkListener {
        @Override
        public void onUp(LinkReport report) {
            listener.onUp(report);
        }

        @Override
        public void onDown(@Nullable LinkFailure failure) {
            listener.onDown(failure);
        }

        @Override
        public void onEnded(LinkState end) {
            whenEnded.run();
            listener.onEnded(end);
        }
    }
}
