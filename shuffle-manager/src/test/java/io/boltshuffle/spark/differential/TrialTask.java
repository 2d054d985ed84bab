package io.boltshuffle.spark.differential;

import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.memory.TaskMemoryManager;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Runs work as Spark runs a task, but on the calling thread and without a job, so that a task which is killed is not
 * tried again.
 */
final class TrialTask {
    private static final AtomicLong NEXT_ATTEMPT = new AtomicLong(1_000_000);
    private static final String BATCHES = "__fetch_continuous_blocks_in_batch_enabled";

    private TrialTask() {}

    interface Work<T> {
        T run(TaskContext task) throws Exception;
    }

    /**
     * How a task ended.
     *
     * @param result null if it failed
     * @param leakedBytes the execution memory that it left
     */
    record End<T>(@Nullable T result, @Nullable Throwable failure, TaskMetrics metrics, long leakedBytes) {}

    /** @param batches whether a reader may fetch neighbouring blocks as one */
    static <T> End<T> run(boolean batches, Work<T> work) {
        SparkEnv env = SparkEnv.get();
        long attempt = NEXT_ATTEMPT.getAndIncrement();
        TaskMemoryManager memory = new TaskMemoryManager(env.memoryManager(), attempt);
        TaskMetrics metrics = TaskMetrics.empty();
        Properties properties = new Properties();
        properties.setProperty(BATCHES, String.valueOf(batches));
        TaskContext task = new TaskContextImpl(
                0,
                0,
                0,
                attempt,
                0,
                1,
                memory,
                properties,
                env.metricsSystem(),
                metrics,
                1,
                scala.collection.immutable.Map$.MODULE$.empty());
        TaskContext$.MODULE$.setTaskContext(task);
        T result = null;
        Throwable failure = null;
        try {
            result = work.run(task);
        } catch (Exception | Error e) {
            failure = e;
        }
        try {
            Thread.interrupted(); // an interrupt of this task is not for what comes next
            if (failure != null) {
                task.markTaskFailed(failure);
            }
            task.markTaskCompleted(Option.apply(failure));
        } finally {
            TaskContext$.MODULE$.unset();
        }
        return new End<>(result, failure, metrics, memory.cleanUpAllAllocatedMemory());
    }
}
