package io.boltshuffle.integration;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * What Spark's driver counts in an application that makes its own context: {@code spark.extraListeners}. One application at a
 * time, in this process.
 */
public final class DriverTally extends SparkListener {
    private static final AtomicLong REMOTE_BYTES = new AtomicLong();
    private static volatile String application = "";

    @Override
    public void onApplicationStart(SparkListenerApplicationStart start) {
        application = start.appId().get();
        REMOTE_BYTES.set(0);
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        if (end.taskMetrics() != null) {
            REMOTE_BYTES.addAndGet(end.taskMetrics().shuffleReadMetrics().remoteBytesRead());
        }
    }

    /** Of the last application. */
    static String applicationId() {
        return application;
    }

    /** Bytes of blocks that tasks of the last application read from another host. */
    static long remoteBytes() {
        return REMOTE_BYTES.get();
    }
}
