package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.OutOfBand;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The ports of this host and the links built on them.
 *
 * <p><b>Threads:</b> called on the agent's loop; nothing here blocks it. Answers come on any thread.
 */
public interface Ports {

    /**
     * Returns the ports that are plugged in now. Names change when a cable is plugged in again, so ask before each use.
     * Fails with a {@link RestingException} if all of them are left alone for now.
     */
    CompletableFuture<List<PortFacts>> discover();

    /**
     * Builds a link over the cable in a port.
     *
     * @param linkId goes into the answer
     * @param channel as {@link OutOfBand} says
     * @param listener as {@link LinkListener} says; never told anything if the answer is a failure
     */
    CompletableFuture<ActiveLink> open(PortName port, int linkId, OutOfBand channel, LinkListener listener);

    /** Returns the name of the verbs library, for the status. */
    String provider();

    /** Returns the ports that were used, for the status. */
    List<PortStatus> status();

    /** Destroys what is left in the right order, within a bounded time. Blocks: not on the loop. */
    void close() throws InterruptedException;
}
