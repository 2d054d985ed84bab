package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * The limits of an executor's writer, which follow from the memory of its tasks.
 *
 * @param partitions the most that a map output may have; 0 if the plugin's writer is not used, or not yet
 * @param bufferBytes the most that is gathered of a partition before it is encoded
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record WriterLimits(int partitions, int bufferBytes) {

    public static final WriterLimits NONE = new WriterLimits(0, 0);
}
