package io.boltshuffle.spark.differential;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.storage.DiskBlockManager;

/** The directories in which a Spark keeps its files; they can be taken away for a while. */
final class LocalDirectories {
    private final List<Path> directories;
    private boolean hidden;

    LocalDirectories(DiskBlockManager blocks) {
        this.directories = Arrays.stream(blocks.localDirs()).map(File::toPath).toList();
    }

    private static Path elsewhere(Path directory) {
        return directory.resolveSibling(directory.getFileName() + ".hidden");
    }

    /** From now on no file can be created there, while what is open stays open. */
    void hide() {
        hidden = true;
        directories.forEach(directory -> move(directory, elsewhere(directory)));
    }

    /** Undoes {@link #hide}, if that was called. */
    void restore() {
        if (hidden) {
            hidden = false;
            directories.forEach(directory -> move(elsewhere(directory), directory));
        }
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Set<Path> files() {
        Set<Path> files = new HashSet<>();
        for (Path directory : directories) {
            try (Stream<Path> below = Files.walk(directory)) {
                below.filter(Files::isRegularFile).forEach(files::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return files;
    }

    /** Deletes all files but these. */
    void deleteAllBut(Set<Path> kept) {
        for (Path file : files()) {
            if (!kept.contains(file)) {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
