package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/** What one executor has fetched for a stage so far. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record StageTraffic(int stage, int attempt, long rdmaBytes, long nettyBytes) {}
