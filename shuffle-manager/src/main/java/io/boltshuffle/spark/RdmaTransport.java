package io.boltshuffle.spark;

import io.boltshuffle.client.ClientCounters;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.jspecify.annotations.Nullable;

/**
 * The seam between Spark's fetches and whatever moves blocks by RDMA. It need not be perfect: what it hands back goes
 * by Netty within the same fetch, and no task notices.
 *
 * <p><b>Threads:</b> called from task threads, several at once; answers may come from any thread.
 */
interface RdmaTransport extends AutoCloseable {

    /**
     * Says why {@code host} cannot be reached by RDMA now; empty when it can. Asked before every fetch, so it must not
     * wait.
     */
    Optional<FallbackReason> refusal(String host);

    /**
     * Starts to fetch {@code blockIds} and returns without waiting for them. Each id must be answered on the receiver
     * within a deadline that the transport sets, one way or the other. Only the first answer to an id counts; a late or
     * repeated one is passed over. If this method throws, ids not yet answered count as handed back.
     *
     * @param downloadFiles set when the fetch is so large that blocks should be streamed to files; a transport that
     *     only delivers in memory hands such blocks back
     */
    void fetch(
            BlockSource source, List<String> blockIds, Receiver receiver, @Nullable DownloadFileManager downloadFiles);

    /**
     * How much memory of its own the transport has for blocks that this executor's tasks, together, ask for ahead of
     * what they read, in bytes; 0 if there is none now.
     */
    long readAheadBytes();

    /** What the transport counts of the memory that blocks arrive in; safe from any thread, also after the end. */
    ClientCounters counters();

    /**
     * A task begins to write: what it and others write will be read soon, and contact may be made for it. Must not
     * wait.
     */
    void onWrite();

    /** Ends running fetches by handing their blocks back, then frees everything. */
    @Override
    void close();

    /** Where a transport answers. Safe from any thread; calls may block for as long as Spark's listener does. */
    interface Receiver {

        /**
         * The block has arrived, whole and verified, and is not empty. Spark retains the buffer if it wants it; the
         * transport releases its own reference after this call in any case.
         */
        void delivered(String blockId, ManagedBuffer buffer);

        /**
         * These blocks will not come by RDMA; they go by Netty at once.
         *
         * @param detail what happened, for the log
         */
        void handedBack(Collection<String> blockIds, FallbackReason reason, String detail);
    }
}
