package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.link.Link;
import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A link that is up.
 *
 * @param id its number on the control connection
 * @param ranges a lease as this link's device sees it
 * @param window lets the peer read staged memory itself; null where the link sends
 * @param meter how fast it is; confined to the agent's loop
 */
public record ActiveLink(
        int id,
        Link link,
        Function<Lease, RegisteredRange> ranges,
        @Nullable MemoryWindow window,
        LinkMeter meter) {

    /** Returns whether the peer reads staged memory itself. */
    public boolean isRead() {
        return window != null;
    }

    public RegisteredRange rangeOf(Lease lease) {
        return ranges.apply(lease);
    }
}
