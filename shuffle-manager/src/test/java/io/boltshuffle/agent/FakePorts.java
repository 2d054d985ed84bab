package io.boltshuffle.agent;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkMeter;
import io.boltshuffle.agent.cable.PortStatus;
import io.boltshuffle.agent.cable.Ports;
import io.boltshuffle.agent.cable.PortsFactory;
import io.boltshuffle.agent.cable.SimWindow;
import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.OutOfBand;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.testing.KeylessRange;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** Ports on a {@link FakeFabric}; those of the same number face each other. */
final class FakePorts implements Ports {

    private final FakeFabric fabric;
    private final String host;
    private final String facing;
    private final int count;
    private final List<FakeLink> links = new CopyOnWriteArrayList<>();
    private final SimWindow window;

    /** @param facing the host at the other end of every cable */
    FakePorts(FakeFabric fabric, String host, String facing, int count) {
        this.fabric = fabric;
        this.host = host;
        this.facing = facing;
        this.count = count;
        this.window = new SimWindow(KeylessRange::new, fabric::onPoller);
    }

    static PortsFactory factory(FakeFabric fabric, String host, String facing, int count) {
        return new PortsFactory() {
            @Override
            public void check() {
                // A fabric is always there.
            }

            @Override
            public Ports create(Slab slab, LeasePool pool) {
                return new FakePorts(fabric, host, facing, count);
            }
        };
    }

    @Override
    public CompletableFuture<List<PortFacts>> discover() {
        int first = fabric.firstPort();
        return CompletableFuture.completedFuture(IntStream.range(first, fabric.isPulled() ? first : first + count)
                .mapToObj(port ->
                        new PortFacts(name(port), "FAKE", host + "/" + port, facing + "/" + port, List.of(), List.of()))
                .toList());
    }

    @Override
    public CompletableFuture<ActiveLink> open(PortName port, int linkId, OutOfBand channel, LinkListener listener) {
        int first = fabric.firstPort();
        if (IntStream.range(first, first + count).mapToObj(FakePorts::name).noneMatch(port::equals)) {
            return CompletableFuture.failedFuture(new IOException(port + " is not ACTIVE"));
        }
        FakeLink link = new FakeLink(fabric, port.device(), channel, listener);
        links.add(link);
        fabric.add(link);
        link.greet();
        return CompletableFuture.completedFuture(
                new ActiveLink(linkId, link, KeylessRange::new, fabric.doPeersRead() ? window : null, new LinkMeter()));
    }

    private static PortName name(int port) {
        return new PortName("rdma_en" + port, 1);
    }

    @Override
    public String provider() {
        return "fake";
    }

    @Override
    public List<PortStatus> status() {
        return List.of(new PortStatus("rdma_en0", 1, "in use"));
    }

    @Override
    public void close() {
        links.forEach(link -> link.onChannelLost("ports close"));
        CompletableFuture<Void> closed = new CompletableFuture<>();
        fabric.onPoller(() -> {
            window.close();
            closed.complete(null);
        });
        closed.join();
    }
}
