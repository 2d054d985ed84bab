package io.boltshuffle.agent.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The data file of one map output.
 *
 * @param identity of the file that has the name now; null where the file system tells none
 * @param lasts whether no other output ever takes the name
 */
record OutputFile(Path path, @Nullable Object identity, boolean lasts) {

    /**
     * Looks at the file. Spark replaces the index of an output before its data file. A reader therefore calls this
     * before it opens the index: if the two do not belong together, the file is the one that is gone.
     */
    static OutputFile of(Path path, boolean lasts) throws IOException {
        return new OutputFile(
                path, Files.readAttributes(path, BasicFileAttributes.class).fileKey(), lasts);
    }

    /** Returns the place between two offsets, which are not checked. */
    FileRange between(long start, long end) {
        return new FileRange(path, identity, lasts, start, end - start);
    }
}
