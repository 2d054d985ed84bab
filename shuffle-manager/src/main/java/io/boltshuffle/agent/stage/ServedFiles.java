package io.boltshuffle.agent.stage;

import io.boltshuffle.agent.live.LiveBlocks;

/**
 * What this host serves to other hosts, and the means to read it.
 *
 * @param readers threads that may touch the disk
 * @param source finds blocks
 * @param files reads them
 * @param applications whose executors wrote them here
 * @param budget what peers may have staged at once
 * @param live what executors and drivers have in memory
 */
public record ServedFiles(
        Readers readers,
        BlockLocator source,
        OpenFiles files,
        Applications applications,
        StagingBudget budget,
        LiveBlocks live) {}
