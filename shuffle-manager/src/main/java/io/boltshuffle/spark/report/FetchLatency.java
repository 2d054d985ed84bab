package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * The time of fetches from request to last block, in milliseconds; recent fetches weigh more.
 *
 * @param fetches how many have ended
 * @param meanBytes of all fetches of this transport; 0 in event logs of older releases
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record FetchLatency(
        long fetches, long meanBytes, double p50Millis, double p95Millis, double p99Millis, double maxMillis) {}
