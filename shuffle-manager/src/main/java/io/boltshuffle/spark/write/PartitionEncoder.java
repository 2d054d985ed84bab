package io.boltshuffle.spark.write;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Turns the serialized bytes of each partition into what a reader expects of a block: compressed and encrypted as Spark
 * is told.
 *
 * <p><b>Threads:</b> confined to the task's.
 */
interface PartitionEncoder {

    /** How many serialized bytes of a partition are worth gathering before they are encoded. */
    int gatherBytes();

    /** Encodes the next bytes of a partition. What comes out may reach a sink with a later call only. */
    void encode(int partition, byte[] raw, int length, ByteSink sink) throws IOException;

    /**
     * Encodes the last bytes of a partition, and ends its block. A partition without a byte stays without one.
     *
     * @param raw may be null if {@code length} is 0
     */
    void finish(int partition, byte @Nullable [] raw, int length, ByteSink sink) throws IOException;

    /** Frees what the blocks hold that were begun and not ended. */
    void discard();
}
