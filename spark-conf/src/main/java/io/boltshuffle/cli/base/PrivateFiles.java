package io.boltshuffle.cli.base;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Writes what only this user may read: directories of mode 0700 and files of mode 0600.
 *
 * <p><b>Invariant:</b> no file is readable by others or half written at any moment.
 */
public final class PrivateFiles {
    private PrivateFiles() {}

    /** Creates the directory unless it is there, and takes it away from others in any case. */
    public static Path directory(Path directory) {
        try {
            Files.createDirectories(directory.toAbsolutePath().getParent());
            try {
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException e) {
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            }
            return directory;
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
    }

    /** Writes a file, in place of the one that may be there. */
    public static void write(Path file, String text) {
        try {
            // A temporary file has mode 0600 from its first moment.
            Path fresh = Files.createTempFile(file.toAbsolutePath().getParent(), ".new-", "");
            try {
                Files.writeString(fresh, text);
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    private static BoltException unwritable(Path place, IOException e) {
        return BoltException.environment(
                "cannot write " + place + " (" + e.getMessage() + ")",
                "free some space, or set BOLT_CACHE to a directory you may write to");
    }
}
