package io.boltshuffle.spark.write;

import io.boltshuffle.client.OutputLoan;
import java.util.Locale;
import java.util.Optional;

/** Says why a map output is served from its file only, though there is memory for outputs. Each has a counter. */
public enum UnpublishedReason {
    NO_AGENT("no agent was there to lend memory"),
    NO_MEMORY("all memory for outputs was in use"),
    LATE("the agent did not lend memory in time"),
    TOO_LARGE("the output was too large, or had too many partitions"),
    OUTGROWN("the output was larger than the memory that was asked for"),
    NOT_COMMITTED("another attempt had committed the output already");

    private final String meaning;

    UnpublishedReason(String meaning) {
        this.meaning = meaning;
    }

    /** Returns the reason that follows from a refusal; none if no memory is wanted. */
    static Optional<UnpublishedReason> of(OutputLoan.Why why) {
        return switch (why) {
            case OFF -> Optional.empty();
            case NO_AGENT -> Optional.of(NO_AGENT);
            case NO_MEMORY -> Optional.of(NO_MEMORY);
            case LATE -> Optional.of(LATE);
            case TOO_LARGE -> Optional.of(TOO_LARGE);
        };
    }

    /** Returns the reason as it stands in the names of metrics. */
    public String metricName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns words that complete the sentence "from its file only, because". */
    public String meaning() {
        return meaning;
    }
}
