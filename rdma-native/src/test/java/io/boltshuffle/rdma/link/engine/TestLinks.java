package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.LinkParts;

/** What the tests of the contract do with a link besides its contract: build it first, and start it later. */
public final class TestLinks {

    private TestLinks() {}

    /** A link that does nothing yet, so that its owner can keep it before its listener hears anything. */
    public static QueuePairLink build(LinkParts parts, LinkPoller poller) {
        return new QueuePairLink(parts, poller::wake);
    }

    public static void start(QueuePairLink link, LinkPoller poller) {
        poller.run(link);
    }
}
