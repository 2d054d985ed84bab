package io.boltshuffle.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;

/** The end of a log, for messages about whoever wrote it. */
final class LogTail {

    private static final int MAX_BYTES = 4096;
    private static final Pattern TIME = Pattern.compile("^[0-9:./, -]+");

    private LogTail() {}

    /**
     * The last line that is not blank, of those that begin near the end; a remark if there is none. Without the time
     * that it begins with, so that one reason reads alike each time.
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
                    .orElse("(empty)");
        } catch (IOException e) {
            return "(unreadable: " + e.getMessage() + ")";
        }
    }
}
