package io.boltshuffle.proof.soak.inspark;

/**
 * The result of one job, as a line of text.
 *
 * @param job kind and variation: jobs of one name have the same input
 * @param millis how long it took
 * @param answer a digest of its result, or its error; without line feeds and tabs
 */
public record JobResult(String job, long millis, String answer) {
    private static final String SEPARATOR = "\t";
    private static final String FAILED = "failed: ";

    static JobResult failed(String job, long millis, Exception e) {
        return new JobResult(job, millis, FAILED + String.valueOf(e).replaceAll("\\s+", " "));
    }

    String line() {
        return String.join(SEPARATOR, job, Long.toString(millis), answer);
    }

    /** Reads a line that {@link #line} wrote. */
    public static JobResult parse(String line) {
        String[] words = line.split(SEPARATOR, -1);
        if (words.length != 3) {
            throw new IllegalArgumentException("no result of a job: " + line);
        }
        return new JobResult(words[0], Long.parseLong(words[1]), words[2]);
    }

    /** Returns whether the job ended without a result. */
    public boolean failed() {
        return answer.startsWith(FAILED);
    }
}
