package io.boltshuffle.agent.files;

/**
 * Reads of one local directory that do not end.
 *
 * @param since when the first of them began, about, as ISO 8601 has it
 */
public record HangingReads(String directory, String application, int reads, String since) {

    HangingReads and(HangingReads other) {
        String first = since.compareTo(other.since) < 0 ? since : other.since;
        return new HangingReads(directory, application, reads + other.reads, first);
    }

    @Override
    public String toString() {
        return reads + " reads of " + directory + " have hung since " + since;
    }
}
