package io.boltshuffle.agent.files;

import io.boltshuffle.agent.live.LiveBlocks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * The files and blocks that this host serves to other hosts, and the means to read them.
 *
 * @param readers threads that may touch the disk
 * @param source finds blocks
 * @param files reads them
 * @param applications whose executors wrote them here
 * @param live what executors and drivers have in memory
 */
public record ServedFiles(
        Readers readers, BlockLocator source, OpenFiles files, Applications applications, LiveBlocks live) {

    /**
     * Reads the bytes of an application's file, as {@link OpenFiles#read} does. On a reader thread.
     *
     * @throws BlockUnavailableException if reads of the file's directory hang
     */
    public void read(String application, FileRange range, ByteBuffer into, int pieceBytes, Consumer<ByteBuffer> onPiece)
            throws IOException, BlockUnavailableException {
        ReaderPool.begin(application, range.file());
        try {
            files.read(range, into, pieceBytes, onPiece);
        } finally {
            ReaderPool.end();
        }
    }
}
