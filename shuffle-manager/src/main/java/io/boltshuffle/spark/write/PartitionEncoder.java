package io.boltshuffle.spark.write;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Turns the serialized bytes of each partition into the block that a reader expects, compressed and encrypted as
 * Spark's settings say.
 *
 * <p><b>Threads:</b> confined to the task's.
 */
interface PartitionEncoder {

    /** Returns how many serialized bytes of a partition are worth gathering before they are encoded. */
    int gatherBytes();

    /** Encodes the next bytes of a partition. The encoded bytes may reach the sink of a later call only. */
    void encode(int partition, byte[] raw, int length, ByteSink sink) throws IOException;

    /**
     * Encodes the last bytes of a partition, and ends its block. A partition without a byte gets no block.
     *
     * @param raw may be null if {@code length} is 0
     */
    void finish(int partition, byte @Nullable [] raw, int length, ByteSink sink) throws IOException;

    /** Frees the blocks that were begun and not ended. */
    void discard();
}
