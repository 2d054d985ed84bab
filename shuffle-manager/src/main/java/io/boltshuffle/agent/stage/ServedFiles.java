package io.boltshuffle.agent.stage;

/**
 * What this host serves to other hosts, and the means to read it.
 *
 * @param readers threads that may touch the disk
 * @param source finds blocks
 * @param files reads them
 * @param applications whose executors wrote them here
 * @param budget what peers may have staged at once
 */
public record ServedFiles(
        Readers readers, BlockLocator source, OpenFiles files, Applications applications, StagingBudget budget) {}
