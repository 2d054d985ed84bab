package io.boltshuffle.cli.verify.ladder;

/** The rungs, from the ground up. Each says what is known once it is passed. */
public enum Rung {
    /** The verbs library can be loaded. */
    LIBRARY,
    /** There is an RDMA device. */
    DEVICES,
    /** Its port is active and has an address. */
    PORT,
    /** Shared memory can be registered with it. */
    MEMORY,
    /** It gives out a queue pair. */
    QUEUE_PAIR,
    /** The queue pairs of both hosts reach each other. */
    CONNECTION,
    /** Small messages go back and forth. */
    PING_PONG,
    /** Bulk data arrives with every byte right. */
    CHECKED_STREAM;

    /**
     * The result of one rung.
     *
     * @param passed on both hosts
     * @param detail what was seen, in one line
     * @param remedy what to do about a failure, in one line; empty if it passed or no remedy is known
     */
    public record Result(Rung rung, boolean passed, String detail, String remedy) {

        static Result passed(Rung rung, String detail) {
            return new Result(rung, true, detail, "");
        }
    }
}
