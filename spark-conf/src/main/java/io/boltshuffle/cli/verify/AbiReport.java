package io.boltshuffle.cli.verify;

import java.util.List;
import java.util.OptionalLong;

/** What an ABI audit found. */
sealed interface AbiReport {

    /** The audit could not run, so it is unknown whether the numbers agree. */
    record NotRun(String reason, String remedy) implements AbiReport {}

    /** Compares the header of this machine with this code, one row for each number. */
    record Compared(List<Row> rows) implements AbiReport {

        /** Returns true if every number is the one this code uses, or a known difference with which the code works. */
        public boolean agrees() {
            return rows.stream().noneMatch(row -> row.verdict() == Verdict.MISMATCH);
        }
    }

    /** How one number of the header relates to this code's. */
    enum Verdict {
        EQUAL,
        KNOWN_DIFFERENCE,
        MISMATCH
    }

    /**
     * One number.
     *
     * @param name C name: {@code struct.member} is an offset, {@code struct.size} a size, else an enumerator
     * @param ours what this code uses, empty if it does not know the name
     * @param header what the header says, empty if the audit program did not print it
     * @param note why a known difference is harmless, else empty
     */
    record Row(String name, OptionalLong ours, OptionalLong header, Verdict verdict, String note) {}
}
