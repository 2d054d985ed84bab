package io.boltshuffle.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;

/** Reads the end of a process's log, for messages about that process. */
final class LogTail {

    private static final int MAX_BYTES = 4096;

    /** Length that no line of ours has that says why an agent ended. */
    private static final int MAX_CHARACTERS = 600;

    private static final Pattern TIME = Pattern.compile("^[0-9:./, -]+");

    private LogTail() {}

    /**
     * Returns the last line that is not blank among those that begin near the end, or a remark if there is none. The
     * line comes without its time, so that one reason reads the same each time.
     */
    static String lastLine(Path log) {
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.READ)) {
            ByteBuffer tail = ByteBuffer.allocate(MAX_BYTES);
            file.read(tail, Math.max(0, file.size() - MAX_BYTES));
            return new String(tail.array(), 0, tail.position(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .reduce((earlier, later) -> later)
                    .map(line -> TIME.matcher(line).replaceFirst(""))
                    .map(line -> line.substring(0, Math.min(MAX_CHARACTERS, line.length())))
                    .orElse("(empty)");
        } catch (IOException e) {
            return "(unreadable: " + e.getMessage() + ")";
        }
    }
}
