package io.boltshuffle.rdma.link.move;

/** Something that a link's poller is to do. */
@FunctionalInterface
public interface LinkCommand {
    void run() throws LinkDownException;
}
