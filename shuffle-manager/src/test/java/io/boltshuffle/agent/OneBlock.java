package io.boltshuffle.agent;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** One block of the executor "1" on {@link TwoAgents#SERVER}, and one reader of it on the other host. */
record OneBlock(AgentClient reader) {

    static final BlockRange BLOCK = new BlockRange(0, 1, 0, 1);

    /** Connects both executors and writes the block. */
    static OneBlock written(TwoAgents hosts, int bytes) throws IOException {
        AgentClient reader = hosts.connectedReader();
        hosts.files().write(0, 1, bytes);
        return new OneBlock(reader);
    }

    /** Begins to fetch the block. */
    Collected fetch(boolean keep) {
        return Collected.fetch(reader, List.of(BLOCK), keep);
    }

    /** Fetches the block. Returns what failed, which is nothing if the block came. */
    Map<Integer, FailureReason> failures() throws InterruptedException {
        return fetch(/* keep= */ false).await().failures();
    }
}
