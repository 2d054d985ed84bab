package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.link.engine.LinkMachine;

/** Something for the poller to do to a link's machine. */
@FunctionalInterface
interface LinkCommand {
    void run(LinkMachine machine) throws LinkDownException;
}
