package io.boltshuffle.rdma.link;

/** Something for the poller to do to a link's machine. */
@FunctionalInterface
interface LinkCommand {
    void run(LinkMachine machine) throws LinkDownException;
}
