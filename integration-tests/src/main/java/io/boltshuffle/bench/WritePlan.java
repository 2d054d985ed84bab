package io.boltshuffle.bench;

import java.util.List;

/**
 * Says what {@link WriteBench} runs.
 *
 * @param codecs values of {@code spark.io.compression.codec}, or {@code none}
 * @param rounds that count; one before them warms up
 * @param localDirectory where Spark writes
 */
public record WritePlan(List<WriteShape> shapes, List<String> codecs, int rounds, String localDirectory) {}
