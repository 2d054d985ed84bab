package io.boltshuffle.proof.conformance;

/** What became of one test. */
enum TestOutcome {
    PASSED,
    FAILED,
    /** Ignored by Spark, or cancelled because an assumption of its own did not hold. */
    SKIPPED
}
