package io.boltshuffle.spark;

import java.util.Locale;

/** Why a block goes by Netty. Each one is counted by name; adding one adds its counter and its line in the docs. */
enum FallbackReason {
    DISABLED("`spark.boltshuffle.enabled` is `false`"),
    ENCRYPTED_WIRE("Spark is told to encrypt the wire and `spark.boltshuffle.allowCleartext` is not set"),
    BLOCK_KIND("the block is of a kind that RDMA does not carry, such as a push-merged chunk"),
    NO_AGENT("there is no node agent on this host"),
    TRANSPORT_ERROR("the RDMA transport has a defect: it threw instead of answering");

    private final String meaning;

    FallbackReason(String meaning) {
        this.meaning = meaning;
    }

    /** The reason in the names of metrics. */
    String metricName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Completes the sentence "by Netty, because". */
    String meaning() {
        return meaning;
    }
}
