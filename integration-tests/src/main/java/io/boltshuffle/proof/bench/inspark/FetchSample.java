package io.boltshuffle.proof.bench.inspark;

import java.io.Serializable;

/**
 * @param bytes of blocks that were delivered
 * @param rdmaBytes the part of {@code bytes} that came by RDMA
 * @param latency of requests, each of many blocks
 * @param allocatedBytes on the heap of the fetching executor
 */
public record FetchSample(
        FetchRoute route,
        int blockBytes,
        int fetchers,
        int round,
        long bytes,
        long rdmaBytes,
        long blocks,
        long requests,
        long wallNanos,
        LatencyNanos latency,
        CpuNanos cpu,
        long allocatedBytes)
        implements Serializable {}
