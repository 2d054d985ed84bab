package io.boltshuffle.proof.bench.inspark.write;

import java.util.List;

/**
 * Says what {@link WriteBench} runs.
 *
 * @param codecs values of {@code spark.io.compression.codec}, or {@code none}
 * @param writer the one that this process measures
 * @param localDirectory where Spark writes
 * @param executionBytes the memory that Spark shares out to tasks; 0 for what follows from the heap
 */
public record WritePlan(
        List<WriteShape> shapes, List<String> codecs, WriterKind writer, String localDirectory, long executionBytes) {}
