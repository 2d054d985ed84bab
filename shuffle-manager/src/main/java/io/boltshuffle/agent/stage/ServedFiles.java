package io.boltshuffle.agent.stage;

import io.boltshuffle.agent.live.LiveBlocks;
import io.boltshuffle.agent.output.Output;
import io.boltshuffle.agent.output.OutputBlock;
import io.boltshuffle.agent.output.Outputs;
import io.boltshuffle.wire.BlockRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(ServedFiles.class);

    /** Outputs may have other bytes than their tasks said. From any thread. */
    public void doubt(Collection<Output> doubtful) {
        readers.run(
                () -> {
                    doubtful.forEach(outputs::audit);
                    return true;
                },
                (over, failure) -> {
                    if (failure != null) {
                        LOG.warn("outputs in doubt could not be looked at: a defect on this side", failure);
                    }
                },
                detail -> {});
    }

    /**
     * Says where a block lies. On a reader thread: it may touch the disk.
     *
     * @throws BlockUnavailableException if there is no such block, or its index cannot be read
     */
    public BlockPlace find(String application, String executor, BlockRange block) throws BlockUnavailableException {
        OutputBlock inMemory = outputs.find(application, executor, block).orElse(null);
        return inMemory != null ? new BlockPlace.InMemory(inMemory) : source.locate(application, executor, block);
    }

    /**
     * Reads the bytes of an application's file, as {@link OpenFiles#read} does. On a reader thread.
     *
     * @throws BlockUnavailableException if reads of the file's directory hang
     */
    public void read(
            String application, FileRange range, ByteBuffer into, int pieceBytes, Consumer<ByteBuffer> onPiece)
            throws IOException, BlockUnavailableException {
        ReaderPool.begin(application, range.file());
        try {
            files.read(range, into, pieceBytes, onPiece);
        } finally {
            ReaderPool.end();
        }
    }
}
