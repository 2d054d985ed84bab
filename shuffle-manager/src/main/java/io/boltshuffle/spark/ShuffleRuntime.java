package io.boltshuffle.spark;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.fetch.FetchSide;
import io.boltshuffle.spark.fetch.ReadAhead;
import io.boltshuffle.spark.report.WriterLimits;
import io.boltshuffle.spark.write.MapWriters;
import java.util.Collection;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Holds what a process needs to read and write shuffles through the plugin's manager, beside what it fetches with. The
 * first shuffle creates it, because the manager's constructor runs before Spark's environment is complete.
 */
final class ShuffleRuntime {
    private final FetchSide fetches;
    private final ReadAhead readAhead;
    private final MapWriters writers;

    /** @param resolver the shuffle manager's */
    ShuffleRuntime(SparkEnv env, Settings settings, FetchSide fetches, IndexShuffleBlockResolver resolver) {
        this.fetches = fetches;
        this.writers = new MapWriters(env, settings, resolver, fetches.metrics());
        fetches.metrics().limitWriters(new WriterLimits(writers.maxPartitions(), writers.bufferBytes()));
        this.readAhead = ReadAhead.of(env.conf(), settings, Runtime.getRuntime().maxMemory());
    }

    /** Returns the client that readers fetch with. */
    BlockStoreClient client() {
        return fetches.client();
    }

    /**
     * Returns how many bytes a task may have on their way or waiting for it.
     *
     * @param hosts the other hosts that have its blocks
     * @param merged whether some of them may be chunks of push-merged files, which never go by RDMA
     * @param task the task, at whose end others may have its share
     */
    long maxBytesInFlight(Collection<String> hosts, boolean merged, TaskContext task) {
        if (merged || hosts.isEmpty() || !hosts.stream().allMatch(fetches.client()::goesByRdma)) {
            return readAhead.sparkLimit();
        }
        ReadAhead.Share share = readAhead.take(fetches.readAheadBytes());
        task.addTaskCompletionListener((TaskCompletionListener) ended -> share.close());
        return share.limit();
    }

    /** Tells that a task begins to write. */
    void onWrite() {
        fetches.onTask();
    }

    /** Returns the factory of map tasks' writers. */
    MapWriters writers() {
        return writers;
    }
}
