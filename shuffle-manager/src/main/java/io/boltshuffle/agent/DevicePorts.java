package io.boltshuffle.agent;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.rdma.Availability;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.VerbsProvider;
import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.OutOfBand;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The ports of real devices.
 *
 * <p><b>Threads:</b> one looks for ports; each port that is used has a control thread and a poller of its own.
 */
final class DevicePorts implements Ports {

    private final VerbsProvider provider;
    private final Slab slab;
    private final LeasePool pool;
    private final Settings settings;
    private final PortFinder finder;
    private final ExecutorService finding = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "bolt-port-finder");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<PortName, PortUnit> units = new ConcurrentHashMap<>();

    DevicePorts(VerbsProvider provider, Slab slab, LeasePool pool, Settings settings) {
        this.provider = provider;
        this.slab = slab;
        this.pool = pool;
        this.settings = settings;
        this.finder = new PortFinder(provider, surroundings(settings));
    }

    /** Who has a topology file does not need to look round, which takes a second on a Mac. */
    private static Surroundings surroundings(Settings settings) {
        return settings.get(Options.AGENT_TOPOLOGY_FILE).isEmpty() ? Surroundings.ofThisHost() : Surroundings.unknown();
    }

    @Override
    public CompletableFuture<List<PortFacts>> discover() {
        CompletableFuture<List<PortFacts>> answer = new CompletableFuture<>();
        finding.execute(() -> {
            try {
                if (provider.availability() instanceof Availability.Unavailable missing) {
                    throw new VerbsException(missing.reason() + "; " + missing.remedy(), "dlopen", 0);
                }
                answer.complete(finder.findActive());
            } catch (VerbsException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    @Override
    public CompletableFuture<ActiveLink> open(PortName port, int linkId, OutOfBand channel, LinkListener listener) {
        return units.computeIfAbsent(port, name -> new PortUnit(name, provider, slab, pool, settings))
                .open(linkId, channel, listener);
    }

    @Override
    public List<PortStatus> status() {
        return units.values().stream().map(PortUnit::status).toList();
    }

    @Override
    public void close() throws InterruptedException {
        finding.shutdown();
        for (PortUnit unit : units.values()) {
            unit.close();
        }
    }
}
