package io.boltshuffle.conf;

/** The user's choice of the blocks that go by RDMA. */
public enum BlocksChoice {
    SHUFFLE,
    /**
     * Includes the blocks that Spark moves through its block transfer service: broadcasts, cached partitions, results.
     */
    ALL
}
