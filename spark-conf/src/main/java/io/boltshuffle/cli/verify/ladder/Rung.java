package io.boltshuffle.cli.verify.ladder;

/** The rungs, from the ground up. */
public enum Rung {
    LIBRARY("the verbs library can be loaded"),
    DEVICES("there is an RDMA device"),
    PORT("its port is active and has an address"),
    MEMORY("shared memory can be registered with it"),
    QUEUE_PAIR("it gives out a queue pair"),
    CONNECTION("the queue pairs of both hosts reach each other"),
    PING_PONG("small messages go back and forth"),
    CHECKED_STREAM("bulk data arrives with every byte right");

    private final String shows;

    Rung(String shows) {
        this.shows = shows;
    }

    /** What is known once it is passed. */
    public String shows() {
        return shows;
    }
}
