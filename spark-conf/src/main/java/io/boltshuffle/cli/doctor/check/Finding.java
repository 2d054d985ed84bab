package io.boltshuffle.cli.doctor.check;

import java.util.Optional;

/**
 * One answer of the doctor. A good one has only {@code seen}.
 *
 * @param where the host or hosts that the answer is about
 */
public record Finding(
        Cause cause, Severity severity, String where, String seen, String meaning, String remedy, Optional<Fix> fix) {

    /** Says what is wrong, in the three parts that a person needs. */
    public record Problem(String seen, String meaning, String remedy) {}

    public static Finding ok(Cause cause, String where, String seen) {
        return new Finding(cause, Severity.OK, where, seen, "", "", Optional.empty());
    }

    public static Finding warning(Cause cause, String where, Problem problem) {
        return new Finding(
                cause, Severity.WARNING, where, problem.seen, problem.meaning, problem.remedy, Optional.empty());
    }

    public static Finding failure(Cause cause, String where, Problem problem) {
        return new Finding(
                cause, Severity.FAILURE, where, problem.seen, problem.meaning, problem.remedy, Optional.empty());
    }

    public Finding with(Fix newFix) {
        return new Finding(cause, severity, where, seen, meaning, remedy, Optional.of(newFix));
    }
}
