package io.boltshuffle.client;

/** The answer to a task that asked for memory for its output. */
public sealed interface OutputLoan {

    /** The task closes or publishes the memory. */
    record Granted(OutputMemory memory) implements OutputLoan {}

    /** There is none. */
    record Refused(Why why) implements OutputLoan {}

    /** Why there is no memory. */
    enum Why {
        /** The agent has no memory for outputs, because none was configured. */
        OFF,
        NO_AGENT,
        /** All memory for outputs is in use. */
        NO_MEMORY,
        /** The agent did not answer in time. */
        LATE,
        /** The output is larger, or has more partitions, than outputs in memory may have. */
        TOO_LARGE
    }
}
