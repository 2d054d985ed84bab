package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.OutOfBand;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Ports that can be left to other programs for a while. While they are paused, none is found and none gets a link. A
 * device whose last link has ended is closed, and gives its queue pairs and memory regions back.
 *
 * <p><b>Threads:</b> confined to the agent's loop, like every caller of {@link Ports}; {@link #close} is not.
 */
public final class PausablePorts implements Ports {
    /** Says that a person left the ports to other programs. */
    public static final class PausedException extends IOException {
        private static final long serialVersionUID = 1;

        PausedException(String message) {
            super(message);
        }
    }

    private final Ports ports;
    private String pause = "";

    public PausablePorts(Ports ports) {
        this.ports = ports;
    }

    /** @param why what peers and executors are told, or empty to use the ports again */
    public void pause(String why) {
        pause = why;
    }

    @Override
    public CompletableFuture<List<PortFacts>> discover() {
        return pause.isEmpty() ? ports.discover() : paused();
    }

    @Override
    public CompletableFuture<ActiveLink> open(PortName port, int linkId, OutOfBand channel, LinkListener listener) {
        return pause.isEmpty() ? ports.open(port, linkId, channel, listener) : paused();
    }

    private <T> CompletableFuture<T> paused() {
        return CompletableFuture.failedFuture(new PausedException(pause));
    }

    @Override
    public String provider() {
        return ports.provider();
    }

    @Override
    public List<PortStatus> status() {
        return ports.status();
    }

    @Override
    public void close() throws InterruptedException {
        ports.close();
    }
}
