package io.boltshuffle.trace;

/**
 * A step that was taken.
 *
 * @param nanos by {@link System#nanoTime}, which processes of one machine have in common
 * @param process id of the process
 * @param thread name of the thread
 * @param threadId tells threads of one name apart
 */
public record TracedStep(long nanos, long process, long threadId, String thread, FetchStep step) {

    private static final int FIELDS = 5;

    static TracedStep now(FetchStep step, long process) {
        Thread thread = Thread.currentThread();
        return new TracedStep(System.nanoTime(), process, thread.getId(), thread.getName(), step);
    }

    /** Returns whether the same thread took both steps. */
    public boolean isOnThreadOf(TracedStep other) {
        return process == other.process && threadId == other.threadId;
    }

    /** Returns the line that {@link #parse} reads. */
    String toLine() {
        return nanos + " " + process + " " + threadId + " " + step + " " + thread;
    }

    /** @throws IllegalArgumentException if the line is none of {@link FetchTrace#appendTo}'s file */
    public static TracedStep parse(String line) {
        String[] fields = line.split(" ", FIELDS);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("no line of a trace: " + line);
        }
        return new TracedStep(
                Long.parseLong(fields[0]),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                fields[4],
                FetchStep.valueOf(fields[3]));
    }
}
