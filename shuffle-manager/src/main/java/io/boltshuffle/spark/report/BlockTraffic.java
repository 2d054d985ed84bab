package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * The bytes and blocks that a process fetched so far of one class of blocks in the memory of other processes.
 * Everything only grows.
 *
 * @param kind the class as the metrics of {@code docs/operations.md} name it, such as {@code broadcast}
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record BlockTraffic(String kind, long rdmaBytes, long tcpBytes, long rdmaBlocks, long tcpBlocks) {

    /** Returns the sum of two of one class. */
    public BlockTraffic plus(BlockTraffic other) {
        return new BlockTraffic(
                kind,
                rdmaBytes + other.rdmaBytes,
                tcpBytes + other.tcpBytes,
                rdmaBlocks + other.rdmaBlocks,
                tcpBlocks + other.tcpBlocks);
    }
}
