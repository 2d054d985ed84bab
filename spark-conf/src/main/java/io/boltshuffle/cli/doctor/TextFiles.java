package io.boltshuffle.cli.doctor;

import io.boltshuffle.cli.base.BoltException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The user's files: read as a whole, and never overwritten unless asked to. */
final class TextFiles {

    private TextFiles() {}

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw BoltException.failed("cannot read " + file + ": " + e);
        }
    }

    /** @param force whether a file that is already there may be replaced */
    static void write(Path file, String text, boolean force) {
        OpenOption[] options = force
                ? new OpenOption[] {
                    StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE
                }
                : new OpenOption[] {StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE};
        try {
            Path parent = file.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.writeString(file, text, options);
        } catch (FileAlreadyExistsException e) {
            throw BoltException.failed(file + " is there already: choose another name, or add --force to replace it");
        } catch (IOException e) {
            throw BoltException.failed("cannot write " + file + ": " + e);
        }
    }
}
