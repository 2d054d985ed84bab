package io.boltshuffle.agent.fetch;

import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FetchDeadline;
import java.util.List;

/**
 * An executor's order to fetch blocks of a remote executor.
 *
 * @param owner whom the memory is charged to
 * @param startNanos when it was asked for, by the loop's clock
 * @param timeoutNanos see {@link FetchDeadline}
 */
public record FetchOrder(
        String application,
        String host,
        String executor,
        LeaseOwner owner,
        long startNanos,
        long timeoutNanos,
        List<BlockRange> blocks) {

    FetchDeadline deadline() {
        return new FetchDeadline(startNanos, timeoutNanos);
    }
}
