package io.boltshuffle.cli.runtime;

import io.boltshuffle.cli.base.PrivateFiles;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * A file of settings that one program reads, for those that belong into no command line.
 *
 * <p><b>Ownership:</b> closing it removes the file.
 *
 * @param file empty if there is nothing to hide
 */
public record PrivateSettings(Optional<Path> file) implements AutoCloseable {

    /**
     * @param defaults what the program would have read
     * @param secret settings in addition; without any, no file is written
     */
    public static PrivateSettings in(Path directory, Properties defaults, Map<String, String> secret) {
        if (secret.isEmpty()) {
            return new PrivateSettings(Optional.empty());
        }
        Properties all = new Properties();
        all.putAll(secret);
        all.putAll(defaults);
        StringWriter text = new StringWriter();
        try {
            all.store(text, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Path file = directory.resolve("submit-" + ProcessHandle.current().pid() + ".conf");
        file.toFile().deleteOnExit(); // Ctrl-C ends the command before it closes anything
        PrivateFiles.write(file, text.toString());
        return new PrivateSettings(Optional.of(file));
    }

    /** Returns arguments with which {@code spark-submit} reads the file. */
    public List<String> addTo(List<String> arguments) {
        return file.map(settings -> PluginFlags.readingFrom(settings, arguments))
                .orElse(arguments);
    }

    @Override
    public void close() {
        file.ifPresent(settings -> {
            try {
                Files.deleteIfExists(settings);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
