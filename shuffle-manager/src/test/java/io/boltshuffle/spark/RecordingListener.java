package io.boltshuffle.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;

/** Stands for Spark's fetch iterator: notes every answer. */
public final class RecordingListener implements BlockFetchingListener {
    private final List<String> succeeded = new ArrayList<>(); // guarded by this
    private final List<String> failed = new ArrayList<>(); // guarded by this

    @Override
    public synchronized void onBlockFetchSuccess(String blockId, ManagedBuffer data) {
        succeeded.add(blockId);
    }

    @Override
    public synchronized void onBlockFetchFailure(String blockId, Throwable exception) {
        failed.add(blockId);
    }

    public synchronized List<String> succeeded() {
        return List.copyOf(succeeded);
    }

    public synchronized List<String> failed() {
        return List.copyOf(failed);
    }
}
