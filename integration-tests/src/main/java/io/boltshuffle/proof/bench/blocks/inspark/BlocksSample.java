package io.boltshuffle.proof.bench.blocks.inspark;

import io.boltshuffle.proof.bench.inspark.CpuNanos;
import java.io.Serializable;

/**
 * @param bytes of the values that the reader got
 * @param wallNanos of the task that read, or of the job whose result was collected
 * @param rdmaBytes the blocks that came by RDMA; more than {@code bytes} by what serialization adds
 * @param cpu of driver, executors and agents
 * @param allocatedBytes on the heap of the process that read
 */
public record BlocksSample(
        BlockWork work, long bytes, long wallNanos, long rdmaBytes, CpuNanos cpu, long allocatedBytes)
        implements Serializable {}
