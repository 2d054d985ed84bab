package io.boltshuffle.agent;

import io.boltshuffle.rdma.link.Link;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import java.util.function.Function;

/**
 * A link that is up.
 *
 * @param id its number on the control connection
 * @param ranges a lease as this link's device sees it
 * @param meter how fast it is; confined to the agent's loop
 */
record ActiveLink(int id, Link link, Function<Lease, RegisteredRange> ranges, LinkMeter meter) {

    ActiveLink(int id, Link link, Function<Lease, RegisteredRange> ranges) {
        this(id, link, ranges, new LinkMeter());
    }

    RegisteredRange rangeOf(Lease lease) {
        return ranges.apply(lease);
    }
}
