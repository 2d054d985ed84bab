package io.boltshuffle.proof.bench.inspark.write;

/**
 * The sums of Spark's own metrics of all tasks of a repartition.
 *
 * @param cpuNanos of the threads that run tasks
 * @param gcMillis in which they stood still for a collector
 * @param spilledBytes that were written to disk because memory ran out, before the map output was
 */
public record WriteFigures(long cpuNanos, long gcMillis, long spilledBytes) {
    static final WriteFigures NONE = new WriteFigures(0, 0, 0);

    WriteFigures plus(WriteFigures other) {
        return new WriteFigures(
                cpuNanos + other.cpuNanos, gcMillis + other.gcMillis, spilledBytes + other.spilledBytes);
    }
}
