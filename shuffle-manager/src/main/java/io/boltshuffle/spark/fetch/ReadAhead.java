package io.boltshuffle.spark.fetch;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import org.apache.spark.SparkConf;
import org.apache.spark.internal.config.package$;

/**
 * Decides how many bytes a task may have on their way or waiting for it. Spark's limit spares the executor's memory.
 * Blocks that come by RDMA wait in the agent's memory, so a task may request more of them while it reads others. Tasks
 * share the room, first come, first served; a task that finds none left has Spark's limit.
 *
 * <p>If RDMA then fails, or the agent wants its memory back, the blocks come into the executor's memory after all. All
 * tasks together therefore never request more than an eighth of its heap in this way.
 *
 * <p><b>Threads:</b> any.
 */
public final class ReadAhead {
    private static final package$ CONFIG = package$.MODULE$;
    private static final int PART_OF_HEAP = 8;

    private final long sparkBytes;
    private final long mostOfTask;
    private final long mostOfHeap;
    private long takenBytes; // guarded by this

    private ReadAhead(long sparkBytes, long mostOfTask, long mostOfHeap) {
        this.sparkBytes = sparkBytes;
        this.mostOfTask = mostOfTask;
        this.mostOfHeap = mostOfHeap;
    }

    /** @param heapBytes the size to which the executor's heap may grow */
    public static ReadAhead of(SparkConf conf, Settings settings, long heapBytes) {
        long sparkBytes = (long) conf.get(CONFIG.REDUCER_MAX_SIZE_IN_FLIGHT()) << 20; // the setting is in MiB
        return new ReadAhead(sparkBytes, mostOfTask(conf, settings), heapBytes / PART_OF_HEAP);
    }

    private static long mostOfTask(SparkConf conf, Settings settings) {
        if (conf.contains(CONFIG.REDUCER_MAX_SIZE_IN_FLIGHT())) {
            return 0;
        }
        // Spark makes requests of a fifth of the limit, and writes requests to disk that exceed this setting.
        long toMemory = (long) conf.get(CONFIG.MAX_REMOTE_BLOCK_SIZE_FETCH_TO_MEM());
        return Math.min(settings.get(Options.FETCH_READ_AHEAD), toMemory);
    }

    /** Returns the limit of a task some of whose blocks go by Netty. */
    public long sparkLimit() {
        return sparkBytes;
    }

    /**
     * Takes the share of a task all of whose blocks go by RDMA.
     *
     * @param roomBytes what the transport has for all tasks
     */
    public synchronized Share take(long roomBytes) {
        long left = Math.min(roomBytes, mostOfHeap) - takenBytes;
        long bytes = Math.min(mostOfTask, left);
        if (bytes <= sparkBytes) {
            return new Share(sparkBytes, 0);
        }
        takenBytes += bytes;
        return new Share(bytes, bytes);
    }

    private synchronized void giveBack(Share share) {
        takenBytes -= share.takenBytes;
        share.takenBytes = 0;
    }

    /** The bytes that one task may use until it ends. */
    public final class Share implements AutoCloseable {
        private final long limitBytes;
        private long takenBytes; // guarded by the outer object

        private Share(long limitBytes, long takenBytes) {
            this.limitBytes = limitBytes;
            this.takenBytes = takenBytes;
        }

        /** Returns how many bytes the task may have on their way or waiting for it. */
        public long limit() {
            return limitBytes;
        }

        /** Gives the share back; a second call has no effect. */
        @Override
        public void close() {
            giveBack(this);
        }
    }
}
