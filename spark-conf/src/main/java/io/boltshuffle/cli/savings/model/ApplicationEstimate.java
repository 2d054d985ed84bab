package io.boltshuffle.cli.savings.model;

import io.boltshuffle.cli.savings.log.ApplicationSums;
import java.util.List;
import java.util.function.Function;

/**
 * The savings of an application, stage by stage in the order of their numbers.
 *
 * @param stock whether it ran with Spark's own shuffle; for any other, nothing is estimated
 * @param network that it was assumed to run on, or as fast as something that was seen in the log
 * @param notes on what the estimate does not cover, one sentence each
 */
public record ApplicationEstimate(
        ApplicationSums application, boolean stock, Network network, List<StageEstimate> stages, List<String> notes) {

    /** Returns what all tasks would save, in seconds of theirs. */
    public Range taskSeconds() {
        return sum(StageEstimate::taskSeconds);
    }

    /** Returns what the application would save of its own time, and never more than that. */
    public Range jobSeconds() {
        return sum(StageEstimate::jobSeconds).atMost(application.millis() / 1e3);
    }

    private Range sum(Function<StageEstimate, Range> part) {
        return stages.stream().map(part).reduce(Range.NONE, Range::plus);
    }
}
