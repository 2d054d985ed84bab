package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * The time of fetches from request to last block, in milliseconds; recent fetches weigh more.
 *
 * @param fetches how many have ended
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record FetchLatency(long fetches, double p50Millis, double p95Millis, double p99Millis, double maxMillis) {}
