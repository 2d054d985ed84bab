package io.boltshuffle.agent.files;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The place of a block's bytes in a file of Spark's.
 *
 * @param identity of the file that is meant, whatever takes its place and name; null if it is the one that has the name
 * @param lasts whether no other file ever takes the name
 */
public record FileRange(Path file, @Nullable Object identity, boolean lasts, long offset, long bytes) {

    /** A range of a file whose name another may take. */
    public FileRange(Path file, @Nullable Object identity, long offset, long bytes) {
        this(file, identity, /* lasts= */ false, offset, bytes);
    }

    /** Returns a part of the range; the whole, if it is all of it. */
    public FileRange part(long from, long length) {
        if (from == 0 && length == bytes) {
            return this;
        }
        return new FileRange(file, identity, lasts, offset + from, length);
    }

    @Override
    public String toString() {
        return file + " at " + offset;
    }
}
