package io.boltshuffle.agent.stage;

import io.boltshuffle.agent.live.LiveBlocks;
import io.boltshuffle.agent.output.OutputBlock;
import io.boltshuffle.agent.output.Outputs;
import io.boltshuffle.wire.BlockRange;

/**
 * What this host serves to other hosts, and the means to read it.
 *
 * @param readers threads that may touch the disk
 * @param source finds blocks
 * @param files reads them
 * @param outputs what of it lies in memory
 * @param applications whose executors wrote them here
 * @param budget what peers may have staged at once
 * @param live what executors and drivers have in memory
 */
public record ServedFiles(
        Readers readers,
        BlockLocator source,
        OpenFiles files,
        Outputs outputs,
        Applications applications,
        StagingBudget budget,
        LiveBlocks live) {

    /**
     * Says where a block lies. On a reader thread: it may touch the disk.
     *
     * @throws BlockUnavailableException if there is no such block, or its index cannot be read
     */
    public BlockPlace find(String application, String executor, BlockRange block) throws BlockUnavailableException {
        OutputBlock inMemory = outputs.find(application, executor, block).orElse(null);
        return inMemory != null ? new BlockPlace.InMemory(inMemory) : source.locate(application, executor, block);
    }
}
