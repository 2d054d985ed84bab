package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.bench.StageOperation;
import java.util.List;

/**
 * Says how much is measured.
 *
 * @param bytes of each shuffle
 * @param rounds applications of each kind with each shuffle
 * @param reads that count in each application
 * @param contenders stock Spark, perhaps in several ways, and boltshuffle
 */
public record StageScale(
        long bytes,
        List<StageOperation> operations,
        List<Cut> cuts,
        int rounds,
        int reads,
        List<Contender> contenders) {

    /** Counts one shuffle at a time, with room for what is being sorted and for what Spark has not yet removed. */
    public long diskBytes() {
        return bytes * 3;
    }
}
