package io.boltshuffle.rdma.link;

/**
 * The result of one candidate.
 *
 * @param verdict whether it may be used
 * @param gigabytesPerSecond checked throughput, 0 unless clean
 */
public record CalibrationResult(Candidate candidate, Verdict verdict, double gigabytesPerSecond) {

    /** The finding about a candidate. */
    public enum Verdict {
        /** Every byte of every round arrived. */
        CLEAN,
        /** Bytes were damaged, now or on an earlier link over this cable. Never used. */
        DIRTY,
        /** Time was up before its turn. */
        NOT_MEASURED
    }
}
