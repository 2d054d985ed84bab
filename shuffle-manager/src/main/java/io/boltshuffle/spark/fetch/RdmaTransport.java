package io.boltshuffle.spark.fetch;

import io.boltshuffle.spark.meter.FallbackReason;
import java.util.List;
import java.util.Optional;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.jspecify.annotations.Nullable;

/**
 * The boundary between Spark's fetches and the code that moves blocks by RDMA. A transport may fail: blocks that it
 * hands back go by Netty within the same fetch, and no task notices. {@code RdmaTransportContract}, among the tests,
 * holds what each transport promises.
 *
 * <p><b>Threads:</b> called from task threads, several at once; answers may come from any thread.
 */
public interface RdmaTransport extends AutoCloseable {

    /**
     * Says why {@code host} cannot be reached by RDMA now; empty when it can. It is called before every fetch, so it
     * must not wait.
     */
    Optional<FallbackReason> refusal(String host);

    /**
     * Starts to fetch {@code blockIds} and returns without waiting for them. The transport must answer for each of them
     * on the receiver within a deadline that it sets, either way. Only the first answer for a block counts; late or
     * repeated answers are ignored. If this method throws, blocks without an answer count as handed back.
     *
     * @param downloadFiles set when the fetch is so large that blocks should be streamed to files; a transport that
     * delivers in memory only hands such blocks back
     */
    void fetch(
            BlockSource source, List<String> blockIds, Receiver receiver, @Nullable DownloadFileManager downloadFiles);

    /**
     * Returns how much memory of its own the transport has, in bytes, for blocks that all tasks of this executor
     * together request ahead of what they read; 0 if there is none now.
     */
    long readAheadBytes();

    /**
     * Ends running fetches by handing their blocks back, then frees everything but the blocks that Spark still holds.
     * Later fetches are handed back. Another call does nothing.
     */
    @Override
    void close();

    /**
     * Takes the answers of a transport. Any thread may call it; a call may block for as long as Spark's listener does.
     */
    interface Receiver {

        /**
         * The block has arrived, whole and verified, and is not empty. Spark retains the buffer if it wants it. The
         * transport releases its own reference after this call in any case.
         *
         * @param block its place in the fetch, from 0
         */
        void delivered(int block, ManagedBuffer buffer);

        /**
         * The block will not come by RDMA; it goes by Netty, together with those that are handed back at the same time.
         *
         * @param block its place in the fetch, from 0
         * @param detail what happened, for the log
         */
        void handedBack(int block, FallbackReason reason, String detail);
    }
}
