package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/** The bytes that one executor fetched and wrote for a stage so far. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record StageTraffic(int stage, int attempt, long rdmaBytes, long nettyBytes, StageWrites writes) {

    public StageTraffic {
        writes = writes == null ? StageWrites.NONE : writes; // reports of older releases have none
    }
}
