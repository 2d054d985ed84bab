package io.boltshuffle.integration.othersparks;

import static org.junit.jupiter.api.Assumptions.abort;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.runtime.SparkLine;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.cli.runtime.SparkRuntimes;
import io.boltshuffle.cli.runtime.UserCache;
import io.boltshuffle.cli.runtime.WantedSpark;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The jars of a Spark for tests of this build to run on: those of the Spark that the property {@code other.spark}
 * names, such as {@code .../site-packages/pyspark}, or of one that {@code bolt} gathers.
 *
 * @param release such as {@code 4.3.0}
 */
record OtherSpark(String release, Path jars) {
    private static final String NAMED = System.getProperty("other.spark", "");
    static final UserCache CACHE = new UserCache(Path.of("target/bolt-cache").toAbsolutePath());

    /** Returns the lines that tests run on: that of the named Spark, or all. */
    static List<SparkLine> lines() {
        return NAMED.isEmpty()
                ? List.of(SparkLine.values())
                : List.of(SparkRuntime.at(Path.of(NAMED)).line());
    }

    /** Returns the Spark of a line; skips the test, and says why, where there can be none. */
    static OtherSpark of(SparkLine line) {
        try {
            SparkRuntime found = NAMED.isEmpty()
                    ? new SparkRuntimes(Map.of(), CACHE, Console.standardError()).find(WantedSpark.of(line))
                    : SparkRuntime.at(Path.of(NAMED));
            return new OtherSpark(found.release(), found.jars());
        } catch (BoltException e) {
            return abort("Spark " + line.label() + " cannot be had here: " + e.getMessage());
        }
    }

    /** Returns this test's class path with these jars in place of the Spark that the build compiles against. */
    String classPath() throws IOException {
        List<String> entries = new ArrayList<>();
        Set<String> theirs;
        try (Stream<Path> files = Files.list(jars)) {
            List<Path> all = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
            theirs = all.stream().map(OtherSpark::artifact).collect(Collectors.toSet());
            Arrays.stream(ownClassPath().split(File.pathSeparator, -1))
                    .filter(entry -> !theirs.contains(artifact(Path.of(entry))) && !isSparks(entry))
                    .forEach(entries::add);
            all.forEach(jar -> entries.add(jar.toString()));
        }
        return String.join(File.pathSeparator, entries);
    }

    /** Returns the class path of this JVM. */
    static String ownClassPath() {
        return Objects.requireNonNull(System.getProperty("java.class.path"));
    }

    /** Returns whether a jar is one of Spark's, or comes with it: the other Spark may have it no more. */
    private static boolean isSparks(String entry) {
        return Path.of(entry).getFileName().toString().matches("(spark|protobuf-java)-.*\\.jar");
    }

    /** Returns {@code netty-common} for {@code netty-common-4.2.0.Final.jar}. */
    private static String artifact(Path jar) {
        return jar.getFileName().toString().replaceFirst("-\\d[^/]*\\.jar$", "");
    }
}
