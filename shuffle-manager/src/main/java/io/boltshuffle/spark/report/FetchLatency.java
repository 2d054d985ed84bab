package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * How long fetches took, from request to last block, in milliseconds; recent ones weigh more.
 *
 * @param fetches that came to their end
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record FetchLatency(long fetches, double p50Millis, double p95Millis, double p99Millis, double maxMillis) {}
