package io.boltshuffle.spark.fetch;

import io.boltshuffle.conf.Options;
import io.boltshuffle.spark.meter.FallbackReason;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the transport of blocks in memory when it is first needed. An application whose executors neither ask for such
 * blocks nor hold any that others may want has no session for them, and starts no agent.
 *
 * <p><b>Threads:</b> safe from any. To open it waits for nothing: the transport refuses until it has met the agent.
 *
 * <p><b>Ownership:</b> of the transport that it opened.
 */
final class LateTransport implements RdmaTransport {
    private static final Logger log = LoggerFactory.getLogger(LateTransport.class);

    private final Opening opening;
    private volatile @Nullable RdmaTransport opened; // written under this object's lock
    private boolean closed; // guarded by this

    /** Opens the transport proper. */
    interface Opening {
        /** @throws IOException if there is no safe directory in which to meet the agent */
        RdmaTransport open() throws IOException;
    }

    LateTransport(Opening opening) {
        this.opening = opening;
    }

    boolean isOpen() {
        return opened != null;
    }

    /** Opens the transport, or one that refuses every host if it cannot be opened; that is logged. */
    RdmaTransport open() {
        RdmaTransport now = opened;
        return now == null ? openOnce() : now;
    }

    private synchronized RdmaTransport openOnce() {
        RdmaTransport now = opened;
        if (now == null) {
            now = closed ? new NoAgentTransport() : openOrRefuse();
            opened = now;
        }
        return now;
    }

    private RdmaTransport openOrRefuse() {
        try {
            return opening.open();
        } catch (IOException | RuntimeException | LinkageError e) { // a block never fails for want of RDMA
            log.warn(
                    "Broadcasts, cached partitions and results go by Netty as with {}=shuffle: {}",
                    Options.BLOCKS.key(),
                    e.toString());
            log.debug("The agent's client did not open", e);
            return new NoAgentTransport();
        }
    }

    @Override
    public Optional<FallbackReason> refusal(String host) {
        return open().refusal(host);
    }

    @Override
    public void fetch(
            BlockSource source, List<String> blockIds, Receiver receiver, @Nullable DownloadFileManager downloadFiles) {
        open().fetch(source, blockIds, receiver, downloadFiles);
    }

    @Override
    public long readAheadBytes() {
        RdmaTransport now = opened;
        return now == null ? 0 : now.readAheadBytes();
    }

    @Override
    public synchronized void close() {
        closed = true;
        RdmaTransport now = opened;
        if (now != null) {
            now.close();
        }
    }
}
