package io.boltshuffle.client;

import io.boltshuffle.wire.FailureReason;

/** Says why something does not go by RDMA now. */
public record Refusal(FailureReason reason, String detail) {}
