package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.FetchListener;
import io.boltshuffle.client.FetchedBytes;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.DownloadFile;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.network.shuffle.DownloadFileWritableChannel;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;
import org.jspecify.annotations.Nullable;

/**
 * Writes the blocks of one fetch to files, piece by piece, because Spark requested more than it wants in memory.
 *
 * <p><b>Threads:</b> called for each piece on the client's thread, which must not wait for a disk. Everything else
 * happens, in the same order, on the download thread.
 */
final class FileDelivery implements FetchListener {

    private static final int NONE = -1;

    private final RdmaTransport.Receiver receiver;
    private final DownloadFileManager files;
    private final Executor downloads;
    private final TransportConf conf = new TransportConf("shuffle", MapConfigProvider.EMPTY);

    // The fields below are confined to the download thread.
    private int openBlock = NONE;
    private @Nullable DownloadFile file;
    private @Nullable DownloadFileWritableChannel channel;

    FileDelivery(RdmaTransport.Receiver receiver, DownloadFileManager files, Executor downloads) {
        this.receiver = receiver;
        this.files = files;
        this.downloads = downloads;
    }

    @Override
    public void onSlice(BlockSlice slice, FetchedBytes bytes) {
        try {
            downloads.execute(() -> write(slice, bytes));
        } catch (RejectedExecutionException e) {
            bytes.release();
            receiver.handedBack(slice.blockIndex(), FallbackReason.NO_AGENT, "the executor stops");
        }
    }

    @Override
    public void onFailed(int blockIndex, FailureReason reason, String detail) {
        try {
            downloads.execute(() -> {
                try {
                    if (blockIndex == openBlock) {
                        discard();
                    }
                } finally {
                    receiver.handedBack(blockIndex, AgentTransport.fallback(reason), detail);
                }
            });
        } catch (RejectedExecutionException e) {
            receiver.handedBack(blockIndex, FallbackReason.NO_AGENT, "the executor stops");
        }
    }

    private void write(BlockSlice slice, FetchedBytes bytes) {
        try {
            if (slice.blockOffset() == 0) {
                openBlock = slice.blockIndex();
                file = files.createTempFile(conf);
                channel = file.openForWriting();
            }
            if (slice.blockIndex() == openBlock) {
                writeFully(bytes.buffer());
                if (slice.isLast()) {
                    finish(slice.blockIndex());
                }
            }
        } catch (IOException | RuntimeException | Error e) { // the task waits for an answer, whatever is thrown
            try {
                discard();
            } finally {
                receiver.handedBack(slice.blockIndex(), FallbackReason.DISK_WRITE, e.toString());
            }
        } finally {
            bytes.release();
        }
    }

    private void writeFully(ByteBuffer bytes) throws IOException {
        DownloadFileWritableChannel to = channel;
        while (to != null && bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    private void finish(int blockIndex) throws IOException {
        DownloadFileWritableChannel written = channel;
        DownloadFile done = file;
        if (written == null || done == null) {
            throw new IOException("the file of the block is gone");
        }
        ManagedBuffer buffer = written.closeAndRead();
        openBlock = NONE;
        channel = null;
        file = null;
        try {
            receiver.delivered(blockIndex, buffer);
        } finally {
            buffer.release();
            if (!files.registerTempFileToClean(done)) {
                done.delete();
            }
        }
    }

    private void discard() {
        openBlock = NONE;
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // The file is deleted next, so it does not matter that its channel did not close.
        }
        channel = null;
        if (file != null) {
            file.delete();
            file = null;
        }
    }
}
