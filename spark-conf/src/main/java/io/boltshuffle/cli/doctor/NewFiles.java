package io.boltshuffle.cli.doctor;

import io.boltshuffle.cli.base.BoltException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** Writes files for the user, over older ones only with {@code --force}. */
final class NewFiles {
    @Option(names = "--force", description = "Replace files that are there already.")
    private boolean force;

    void write(Path file, String text) {
        TextFiles.write(file, text, force);
    }

    /** Writes all files or none, because half of a set beside half of an older one would be neither. */
    void writeAll(Path directory, Map<String, String> files) {
        files.keySet().stream()
                .map(directory::resolve)
                .filter(file -> !force && Files.exists(file))
                .findFirst()
                .ifPresent(file -> {
                    throw BoltException.usage(
                            file + " is there already: choose another --dir, or add --force to replace it");
                });
        files.forEach((name, text) -> write(directory.resolve(name), text));
    }
}
