package io.boltshuffle.agent;

import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.wire.BlockRange;
import java.util.List;

/**
 * What an executor wants of a remote one.
 *
 * @param owner whom the memory is charged to
 * @param deadlineNanos by the loop's clock
 */
record FetchOrder(
        String application,
        String host,
        String executor,
        LeaseOwner owner,
        long deadlineNanos,
        List<BlockRange> blocks) {}
