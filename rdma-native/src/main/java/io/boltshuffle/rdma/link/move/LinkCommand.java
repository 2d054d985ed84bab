package io.boltshuffle.rdma.link.move;

/** A command for a link's poller. */
@FunctionalInterface
public interface LinkCommand {
    void run() throws LinkDownException;
}
