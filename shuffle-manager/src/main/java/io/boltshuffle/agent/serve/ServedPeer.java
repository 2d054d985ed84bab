package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The peer whose pulls are served: its links, the memory that it may read, and the answers to it.
 *
 * <p><b>Threads:</b> confined to the agent's loop, except {@link #areas}, of which readers take.
 */
final class ServedPeer {

    private final ServeServices services;
    private final String name;
    private final LinkSet links;
    private final Consumer<ControlMessage> out;
    private final StagingAreas areas;
    private int nextLink;

    ServedPeer(ServeServices services, String name, LinkSet links, Consumer<ControlMessage> out) {
        this.services = services;
        this.name = name;
        this.links = links;
        this.out = out;
        this.areas = new StagingAreas(services.loop(), services.budget());
    }

    ServeServices services() {
        return services;
    }

    String name() {
        return name;
    }

    /** Returns memory that this peer may read, kept between pulls. */
    StagingAreas areas() {
        return areas;
    }

    /** Returns whether the peer reads staged memory itself. */
    boolean isRead() {
        return links.up().stream().anyMatch(ActiveLink::isRead);
    }

    /** Returns whether no link is up, but one may be soon. */
    boolean isLinking() {
        return links.up().isEmpty() && links.isAnyOnItsWay();
    }

    /** Returns how the next pull is cut; empty if no link is up. */
    Optional<StripePlan> nextStripes() {
        List<ActiveLink> up = links.up();
        return up.isEmpty() ? Optional.empty() : Optional.of(new StripePlan(up, nextLink++));
    }

    void answer(ControlMessage.Ready ready) {
        services.counters()
                .served(ready.slices().stream().mapToLong(BlockSlice::bytes).sum());
        FetchTrace.step(FetchStep.READY_SENT);
        out.accept(ready);
    }

    void refuse(long pullId, FailureReason reason, String detail) {
        out.accept(new ControlMessage.NotReady(pullId, reason, detail));
    }
}
