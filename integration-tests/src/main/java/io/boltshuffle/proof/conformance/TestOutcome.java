package io.boltshuffle.proof.conformance;

/** The outcome of one test. */
enum TestOutcome {
    PASSED,
    FAILED,
    /** Spark ignored the test, or cancelled it because an assumption of the test did not hold. */
    SKIPPED
}
