package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.LinkParts;

/**
 * Does with a link what the tests of the contract need besides the contract: it builds a link first, and starts it
 * later.
 */
public final class TestLinks {

    private TestLinks() {}

    /** A link that does nothing yet, so that its owner can keep it before its listener hears anything. */
    public static QueuePairLink build(LinkParts parts, LinkPoller poller) {
        return new QueuePairLink(parts, poller::wake, System::nanoTime);
    }

    public static void start(QueuePairLink link, LinkPoller poller) {
        poller.run(link);
    }
}
