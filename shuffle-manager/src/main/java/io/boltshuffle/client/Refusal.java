package io.boltshuffle.client;

import io.boltshuffle.wire.FailureReason;

/** Why something does not go by RDMA now. */
public record Refusal(FailureReason reason, String detail) {}
