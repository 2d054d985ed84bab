package io.boltshuffle.proof.bench.inspark.write;

/**
 * The measurement of one repartition.
 *
 * @param shape its title
 * @param seconds from the first map task to the last row that was read again
 * @param figures of its tasks
 */
public record WriteSample(String shape, String codec, WriterKind writer, double seconds, WriteFigures figures) {}
