package io.boltshuffle.cli.base;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes files that the command line names. */
public final class TextOutput {
    private TextOutput() {}

    public static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw BoltException.usage("cannot write " + file + " (" + e + "): give another file");
        }
    }
}
