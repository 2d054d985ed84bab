package io.boltshuffle.spark.fetch;

/**
 * One rule about what may go by RDMA.
 *
 * <p><b>Threads:</b> called from task threads, several at once.
 */
@FunctionalInterface
interface FetchPolicy {

    /** Refuses those candidates of the plan that this rule forbids. Must not wait. */
    void review(FetchPlan plan);
}
