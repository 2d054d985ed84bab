package io.boltshuffle.spark.write;

import io.boltshuffle.client.OutputLoan;

/** Lends memory of the node agent for the outputs of map tasks. Their threads call it. */
@FunctionalInterface
public interface OutputLender {

    /** Lends nothing. */
    OutputLender NONE = (shuffleId, bytes) -> new OutputLoan.Refused(OutputLoan.Why.OFF);

    /**
     * Asks for memory, and waits only a moment.
     *
     * @param bytes the most that the output may have
     */
    OutputLoan lend(int shuffleId, long bytes);
}
