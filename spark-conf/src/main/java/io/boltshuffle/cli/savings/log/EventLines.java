package io.boltshuffle.cli.savings.log;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The lines of a log, one at a time. A line that is longer than {@link #LONGEST_BYTES} is passed over and counted:
 * plans of queries can be long, and a file that is no log may have no line end at all.
 */
final class EventLines {
    static final int LONGEST_BYTES = 32 << 20;

    private static final int CHUNK_BYTES = 1 << 16;
    private static final byte[] START = "{\"Event\":\"".getBytes(StandardCharsets.UTF_8);
    private static final int LONGEST_NAME = 200;

    private final InputStream in;
    private final int longestBytes;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private int position;
    private int limit;
    private byte[] line = new byte[CHUNK_BYTES];
    private int length;
    private long tooLong;
    private boolean lastEnded = true;

    EventLines(InputStream in, int longestBytes) {
        this.in = in;
        this.longestBytes = longestBytes;
    }

    /** Returns the next line without its end, or empty at the end of the file. */
    Optional<byte[]> next() throws IOException {
        while (true) {
            length = 0;
            boolean fits = true;
            boolean any = false;
            boolean ended = false;
            while (!ended && fill()) {
                any = true;
                int end = endOfLine();
                fits &= append(end);
                ended = end < limit;
                position = Math.min(limit, end + 1);
            }
            if (!any) {
                return Optional.empty();
            }
            lastEnded = ended;
            if (fits) {
                return Optional.of(Arrays.copyOf(line, length));
            }
            tooLong++;
        }
    }

    /** Returns how many lines were passed over. */
    long tooLong() {
        return tooLong;
    }

    /** Returns whether the last line that was returned had an end. */
    boolean lastEnded() {
        return lastEnded;
    }

    private boolean fill() throws IOException {
        if (position == limit) {
            position = 0;
            limit = Math.max(0, in.read(chunk));
        }
        return limit > 0;
    }

    private int endOfLine() {
        int end = position;
        while (end < limit && chunk[end] != '\n') {
            end++;
        }
        return end;
    }

    /** Returns false, and keeps no more of the line, where it becomes too long. */
    private boolean append(int end) {
        int more = end - position;
        if (length + (long) more > longestBytes) {
            return false;
        }
        if (length + more > line.length) {
            line = Arrays.copyOf(line, (int) Math.min(longestBytes, 2L * (length + more)));
        }
        System.arraycopy(chunk, position, line, length, more);
        length += more;
        return true;
    }

    /** Returns the event that a line holds, or empty if it holds none: Spark writes the event's name first. */
    static Optional<String> event(byte[] line) {
        if (line.length < START.length || !Arrays.equals(line, 0, START.length, START, 0, START.length)) {
            return Optional.empty();
        }
        int end = START.length;
        while (end < line.length && end < LONGEST_NAME && line[end] != '"') {
            end++;
        }
        return Optional.of(new String(line, START.length, end - START.length, StandardCharsets.UTF_8));
    }
}
