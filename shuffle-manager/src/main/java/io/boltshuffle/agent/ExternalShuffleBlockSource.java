package io.boltshuffle.agent;

import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.WireLimits;
import java.io.IOException;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.ExternalShuffleBlockResolver;
import org.apache.spark.network.shuffle.protocol.ExecutorShuffleInfo;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/**
 * Finds blocks as Spark's external shuffle service does, with its own resolver: the layout of shuffle files stays Spark's
 * business. The one class outside the plugin's Spark side that names Spark.
 *
 * <p><b>Threads:</b> any; the resolver is made for many.
 */
final class ExternalShuffleBlockSource implements BlockSource {

    private final ExternalShuffleBlockResolver resolver;

    ExternalShuffleBlockSource() throws IOException {
        // Without a file the resolver keeps registrations in memory only; executors register anew with a new agent.
        this.resolver = new ExternalShuffleBlockResolver(new TransportConf("shuffle", MapConfigProvider.EMPTY), null);
    }

    @Override
    public void register(Registration registration) {
        resolver.registerExecutor(
                registration.application(),
                registration.executor(),
                new ExecutorShuffleInfo(
                        registration.localDirs().toArray(String[]::new),
                        registration.subDirsPerLocalDir(),
                        registration.shuffleManager()));
    }

    @Override
    public void forget(String application) {
        resolver.applicationRemoved(application, false);
    }

    @Override
    public FileRange locate(String application, String executor, BlockRange block) throws BlockUnavailableException {
        ManagedBuffer buffer;
        try {
            buffer = resolver.getContinuousBlocksData(
                    application, executor, block.shuffleId(), block.mapId(), block.startReduce(), block.endReduce());
        } catch (RuntimeException e) {
            throw new BlockUnavailableException(FailureReason.UNKNOWN_BLOCK, block + ": " + e.getMessage(), e);
        }
        if (buffer instanceof FileSegmentManagedBuffer segment) {
            return range(block, segment);
        }
        throw new BlockUnavailableException(
                FailureReason.UNKNOWN_BLOCK,
                block + " is a " + buffer.getClass().getName() + ", not in a file");
    }

    /** The resolver believes whatever the index file tells, and what is out of range cannot even be told to a peer. */
    private static FileRange range(BlockRange block, FileSegmentManagedBuffer segment)
            throws BlockUnavailableException {
        long offset = segment.getOffset();
        long bytes = segment.getLength();
        if (offset < 0 || bytes < 0 || bytes > WireLimits.MAX_BLOCK_BYTES || offset > Long.MAX_VALUE - bytes) {
            throw new BlockUnavailableException(
                    FailureReason.READ_ERROR,
                    block + ": its index tells of " + bytes + " bytes at " + offset + " of " + segment.getFile());
        }
        return new FileRange(segment.getFile().toPath(), offset, bytes);
    }
}
