package io.boltshuffle.proof.queries;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** A benchmark's queries, as Spark keeps them in the test jar of its SQL module. */
public enum QuerySet {
    TPCH("TPC-H", Map.of("tpch/", "")),
    /** TPC-DS is there in two versions, over the same tables. */
    TPCDS("TPC-DS", Map.of("tpcds/", "", "tpcds-v2.7.0/", "v2.7-"));

    private static final String ENDING = ".sql";

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // made by Map.of
    private final Map<String, String> prefixes;

    /** @param prefixes the prefix of a query's file name, by its directory in the jar */
    QuerySet(String title, Map<String, String> prefixes) {
        this.title = title;
        this.prefixes = prefixes;
    }

    /** Returns the benchmark's own name. */
    public String title() {
        return title;
    }

    /** Returns the name as the command line has it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Writes the queries to files of a directory.
     *
     * @param suites a runtime with test jars
     */
    public void unpack(SparkRuntime suites, QueryChoice choice, Path directory) {
        try (JarFile jar = new JarFile(sqlTests(suites).toFile())) {
            Map<String, JarEntry> queries = queries(jar);
            for (String query : choice.of(toString(), queries.keySet())) {
                try (InputStream text = jar.getInputStream(queries.get(query))) {
                    Files.copy(text, directory.resolve(query + ENDING));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, JarEntry> queries(JarFile jar) {
        Map<String, JarEntry> queries = new HashMap<>();
        jar.stream().filter(file -> file.getName().endsWith(ENDING)).forEach(file -> {
            String path = file.getName();
            int name = path.lastIndexOf('/') + 1;
            String prefix = prefixes.get(path.substring(0, name));
            if (prefix != null) {
                queries.put(prefix + path.substring(name, path.length() - ENDING.length()), file);
            }
        });
        return queries;
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
