package io.boltshuffle.agent.cable;

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
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * The ports of real devices.
 *
 * <p><b>Invariant:</b> only a port that was found has a unit, and so a thread; names that peers tell make none, and a
 * port that is gone keeps none once its links have ended.
 *
 * <p><b>Threads:</b> one looks for ports; each port that is used has a control thread and a poller of its own.
 */
public final class DevicePorts implements Ports {

    private final VerbsProvider provider;
    private final PortUnit.Parts parts;
    private final PortFinder finder;
    private final ExecutorService finding = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "bolt-port-finder");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<PortName, PortUnit> units = new ConcurrentHashMap<>();
    private volatile Set<PortName> found = Set.of();

    public DevicePorts(VerbsProvider provider, Slab slab, LeasePool pool, Settings settings, InstantSource clock) {
        this.provider = provider;
        this.parts = new PortUnit.Parts(provider, slab, pool, new ScratchBudget(pool), settings, clock);
        this.finder = new PortFinder(provider, surroundings(settings), settings.get(Options.AGENT_OTHER_PROVIDERS));
    }

    /**
     * Returns a survey of this host's ports, or none if there is a topology file: to look for devices takes a second on
     * a Mac.
     */
    private static PortSurvey surroundings(Settings settings) {
        return settings.get(Options.AGENT_TOPOLOGY_FILE).isEmpty() ? PortSurvey.ofThisHost() : PortSurvey.unknown();
    }

    @Override
    public CompletableFuture<List<PortFacts>> discover() {
        CompletableFuture<List<PortFacts>> answer = new CompletableFuture<>();
        finding.execute(() -> {
            try {
                if (provider.availability() instanceof Availability.Unavailable missing) {
                    throw new VerbsException(missing.reason() + "; " + missing.remedy(), "dlopen", 0);
                }
                List<PortFacts> active = finder.findActive();
                found = active.stream().map(PortFacts::name).collect(Collectors.toUnmodifiableSet());
                units.values().forEach(PortUnit::endIfGone);
                requireOneThatDoesNotRest();
                answer.complete(active);
            } catch (IOException | RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** Peers need not build their ends of links, if none can come up. */
    private void requireOneThatDoesNotRest() throws RestingException {
        String reason = null;
        for (PortName port : found) {
            PortUnit unit = units.get(port);
            reason = unit == null ? null : unit.resting();
            if (reason == null) {
                return;
            }
        }
        if (reason != null) {
            throw new RestingException(reason);
        }
    }

    @Override
    public CompletableFuture<ActiveLink> open(PortName port, int linkId, OutOfBand channel, LinkListener listener) {
        if (found.contains(port)) {
            return unitOf(port).open(linkId, channel, listener);
        }
        // It may have come back since ports were looked for.
        return discover()
                .thenCompose(now -> found.contains(port)
                        ? unitOf(port).open(linkId, channel, listener)
                        : CompletableFuture.failedFuture(new IOException(port + " is not ACTIVE on this host")));
    }

    private PortUnit unitOf(PortName port) {
        return units.computeIfAbsent(port, name -> new PortUnit(name, parts, new Keeper()));
    }

    /** Keeps the units of ports that are there. */
    private final class Keeper implements PortUnit.Owner {
        @Override
        public boolean isThere(PortName port) {
            return found.contains(port);
        }

        @Override
        public void onEnded(PortUnit unit) {
            units.remove(unit.port(), unit);
        }
    }

    @Override
    public String provider() {
        return provider.name();
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
