package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * What an agent serves to other hosts, and what of it lies in memory.
 *
 * @param limitBytes registered memory for map outputs; 0 if there is none
 * @param usedBytes the part in use
 * @param oldestMillis since the oldest output there was published; 0 without any
 * @param evicted outputs that had to make room so far
 * @param servedBytes served to other hosts so far
 * @param servedFromMemoryBytes of these, bytes that no file was read for
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ReportedOutputs(
        long limitBytes,
        long usedBytes,
        long oldestMillis,
        long evicted,
        long servedBytes,
        long servedFromMemoryBytes) {

    /** Of an agent that is not known. */
    public static final ReportedOutputs NONE = new ReportedOutputs(0, 0, 0, 0, 0, 0);
}
