package io.boltshuffle.cli.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The Python environment that the user activated, by {@code activate} of a virtual environment or by conda. */
final class PythonEnvironment {
    private static final List<String> ACTIVE = List.of("VIRTUAL_ENV", "CONDA_PREFIX");

    private PythonEnvironment() {}

    /** Returns where PySpark is in the environment; empty if it is not, or has no jars, as the client for Connect. */
    static Optional<Path> pyspark(Map<String, String> environment) {
        return ACTIVE.stream()
                .map(name -> environment.getOrDefault(name, ""))
                .filter(directory -> !directory.isEmpty())
                .findFirst()
                .map(Path::of)
                .flatMap(PythonEnvironment::find);
    }

    private static Optional<Path> find(Path root) {
        Path lib = root.resolve("lib");
        if (!Files.isDirectory(lib)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> pythons = Files.newDirectoryStream(lib, "python3*")) {
            for (Path python : pythons) {
                Path pyspark = python.resolve("site-packages/pyspark");
                if (Files.isDirectory(pyspark.resolve("jars"))) {
                    return Optional.of(pyspark);
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
