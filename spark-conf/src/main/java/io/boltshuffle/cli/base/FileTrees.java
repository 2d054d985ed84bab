package io.boltshuffle.cli.base;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Removal of directories that dying processes may still be emptying. */
public final class FileTrees {
    private FileTrees() {}

    /** Deletes {@code root} and all below it; links are not followed, and what is gone already is fine. */
    public static void delete(Path root) {
        try {
            Files.walkFileTree(root, new Remover());
        } catch (NoSuchFileException e) {
            // Already gone: that is what was asked for.
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
