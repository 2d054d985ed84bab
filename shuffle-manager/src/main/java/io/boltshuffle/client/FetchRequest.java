package io.boltshuffle.client;

import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.HostName;
import io.boltshuffle.wire.WireLimits;
import java.util.List;

/**
 * Requests blocks of one remote executor.
 *
 * @param host the remote host as Spark names it
 * @param owner the task that the memory is charged to
 * @param blocks at least one, at most {@link WireLimits#MAX_BLOCKS}: as many as one message names
 */
public record FetchRequest(String host, String executor, long owner, List<BlockRange> blocks) {

    public FetchRequest {
        host = HostName.plain(host);
        blocks = List.copyOf(blocks);
        if (blocks.isEmpty()) {
            throw new IllegalArgumentException("a fetch of nothing");
        }
        if (blocks.size() > WireLimits.MAX_BLOCKS) {
            throw new IllegalArgumentException("a fetch of " + blocks.size() + " blocks");
        }
    }
}
