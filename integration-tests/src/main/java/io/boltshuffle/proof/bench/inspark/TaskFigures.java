package io.boltshuffle.proof.bench.inspark;

import java.io.Serializable;

/**
 * The sums of Spark's own metrics of stages. The command reads it, too, and has no class of Spark.
 *
 * @param stageMillis from the submission of each stage to its end
 * @param runMillis of all tasks, including {@code fetchWaitMillis}
 * @param cpuNanos of the threads that run tasks, without those that compile, collect, or fetch for them
 * @param remoteBytes read from other hosts
 */
public record TaskFigures(long stageMillis, long runMillis, long cpuNanos, long fetchWaitMillis, long remoteBytes)
        implements Serializable {
    static final TaskFigures NONE = new TaskFigures(0, 0, 0, 0, 0);

    TaskFigures plus(TaskFigures other) {
        return new TaskFigures(
                stageMillis + other.stageMillis,
                runMillis + other.runMillis,
                cpuNanos + other.cpuNanos,
                fetchWaitMillis + other.fetchWaitMillis,
                remoteBytes + other.remoteBytes);
    }
}
