package io.boltshuffle.cli.queries;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** A benchmark's queries, as Spark keeps them in the test jar of its SQL module. */
public enum QuerySet {
    TPCH(Map.of("tpch/", "")),
    /** In two versions of the benchmark, over the same tables. */
    TPCDS(Map.of("tpcds/", "", "tpcds-v2.7.0/", "v2.7-"));

    private static final String ENDING = ".sql";

    @SuppressWarnings("ImmutableEnumChecker") // made by Map.of
    private final Map<String, String> prefixes;

    /** @param prefixes what a query's file name gets in front, by its directory in the jar */
    QuerySet(Map<String, String> prefixes) {
        this.prefixes = prefixes;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Writes the queries to files of a directory.
     *
     * @param suites a runtime with test jars
     * @param names the queries that are wanted, such as {@code q3}; empty for all
     */
    public void unpack(SparkRuntime suites, List<String> names, Path directory) {
        int written = 0;
        try (JarFile jar = new JarFile(sqlTests(suites).toFile())) {
            for (JarEntry entry :
                    jar.stream().filter(file -> file.getName().endsWith(ENDING)).toList()) {
                String folder = entry.getName().substring(0, entry.getName().lastIndexOf('/') + 1);
                String prefix = prefixes.get(folder);
                if (prefix == null) {
                    continue;
                }
                String file = prefix + entry.getName().substring(folder.length());
                if (names.isEmpty() || names.contains(file.substring(0, file.length() - ENDING.length()))) {
                    try (InputStream text = jar.getInputStream(entry)) {
                        Files.copy(text, directory.resolve(file));
                    }
                    written++;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (written == 0) {
            throw BoltException.usage("none of these is a query of " + label() + ": " + String.join(", ", names));
        }
    }

    private static Path sqlTests(SparkRuntime suites) throws IOException {
        try (Stream<Path> jars = Files.list(suites.jars())) {
            return jars.filter(jar -> jar.getFileName().toString().matches("spark-sql_.*-tests\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> BoltException.environment(
                            "there are no tests of Spark SQL in " + suites.jars(), "remove " + suites.home()));
        }
    }
}
