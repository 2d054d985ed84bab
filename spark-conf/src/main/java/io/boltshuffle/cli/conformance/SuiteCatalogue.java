package io.boltshuffle.cli.conformance;

import static java.util.Objects.requireNonNull;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The suites to run: a list of ours, {@code suites.txt}, and what of it a Spark line has. */
public final class SuiteCatalogue {

    private static final String CLASS_FILE = ".class";
    private static final Pattern COLUMNS = Pattern.compile("\\s*\\|\\s*");

    private SuiteCatalogue() {}

    /** All of them, in the order of the list. */
    public static List<Suite> all() {
        try (InputStream list = requireNonNull(SuiteCatalogue.class.getResourceAsStream("suites.txt"))) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(SuiteCatalogue::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those of the list whose name contains one of the words. */
    public static List<Suite> named(List<String> words) {
        List<Suite> chosen = new ArrayList<>();
        for (String word : words) {
            List<Suite> matching = all().stream()
                    .filter(suite -> suite.className().contains(word))
                    .toList();
            if (matching.isEmpty()) {
                throw BoltException.usage("no suite of the list is named like '" + word + "'; see --list");
            }
            chosen.addAll(matching);
        }
        return chosen.stream().distinct().toList();
    }

    /** The one of that class. */
    static Suite of(String className) {
        return all().stream()
                .filter(suite -> suite.className().equals(className))
                .findFirst()
                .orElseThrow(() -> BoltException.usage(className + " is not in the list of suites"));
    }

    private static Suite parse(String line) {
        List<String> columns = COLUMNS.splitAsStream(line).toList();
        return new Suite(
                columns.get(0), columns.get(1).equals("core"), !columns.get(1).equals("one host"), columns.get(2));
    }

    /** Those that this Spark has; suites come and go with its releases. */
    static List<Suite> presentIn(SparkRuntime spark, List<Suite> suites) {
        Set<String> classes = suiteClasses(spark.jars());
        return suites.stream()
                .filter(suite -> classes.contains(suite.className()))
                .toList();
    }

    private static Set<String> suiteClasses(Path jars) {
        Set<String> classes = new HashSet<>();
        try (Stream<Path> files = Files.list(jars)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith("-tests.jar")).toList()) {
                try (JarFile jar = new JarFile(file.toFile())) {
                    jar.stream()
                            .map(entry -> entry.getName())
                            .filter(name -> name.endsWith(CLASS_FILE))
                            .map(name -> name.substring(0, name.length() - CLASS_FILE.length())
                                    .replace('/', '.'))
                            .forEach(classes::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return classes;
    }
}
