package io.boltshuffle.cli.base;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Removes directories that ending processes may still be emptying. */
public final class FileTrees {
    private FileTrees() {}

    /**
     * Deletes {@code root} and everything below it. It does not follow links, and ignores files that are gone already.
     */
    public static void delete(Path root) {
        try {
            Files.walkFileTree(root, new Remover());
        } catch (NoSuchFileException e) {
            // The file is already gone, as it should be.
        } catch (IOException e) {
            throw BoltException.failed("could not remove " + root + " (" + e + "): remove it by hand");
        }
    }

    private static final class Remover extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
