package io.boltshuffle.cli.doctor;

import io.boltshuffle.cli.base.BoltException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads the user's files as a whole, and never overwrites one unless asked to. */
final class TextFiles {

    private TextFiles() {}

    /** @param option the option that named the file */
    static String read(String option, Path file) {
        if (!Files.isRegularFile(file)) {
            throw BoltException.usage(option + " " + file + (Files.exists(file) ? " is no file" : " does not exist"));
        }
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw BoltException.usage(option + " " + file + " cannot be read: " + reason(e));
        }
    }

    /** Says in words why it failed. Java's own message is the name of a class and the file once more. */
    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "no permission";
        }
        if (e instanceof MalformedInputException) {
            return "it is no text in UTF-8";
        }
        return e instanceof FileSystemException known && known.getReason() != null ? known.getReason() : e.toString();
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
            throw BoltException.usage(file + " is there already: choose another name, or add --force to replace it");
        } catch (IOException e) {
            throw BoltException.usage("cannot write " + file + ": " + reason(e));
        }
    }
}
