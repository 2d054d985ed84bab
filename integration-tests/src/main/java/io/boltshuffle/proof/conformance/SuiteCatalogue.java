package io.boltshuffle.proof.conformance;

import static java.util.Objects.requireNonNull;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The suites to run: this project's list {@code suites.txt}, and the part of it that a Spark line has. */
public final class SuiteCatalogue {

    private static final Pattern COLUMNS = Pattern.compile("\\s*\\|\\s*");

    private static final List<Suite> ALL = read();

    private SuiteCatalogue() {}

    /** Returns all suites, in the order of the list. */
    public static List<Suite> all() {
        return ALL;
    }

    private static List<Suite> read() {
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

    /** Returns the suites of the list whose name contains one of the words. */
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

    /** Returns the suite of that class. */
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

    /**
     * Returns the suites that this Spark has and ScalaTest can run. Suites come and go with Spark's releases, and some
     * become the base of others.
     */
    static List<Suite> presentIn(SparkRuntime spark, List<Suite> suites) {
        try (URLClassLoader classes = new URLClassLoader(jars(spark.jars()), ClassLoader.getPlatformClassLoader())) {
            return suites.stream()
                    .filter(suite -> isConcrete(suite.className(), classes))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isConcrete(String className, ClassLoader classes) {
        try {
            return !Modifier.isAbstract(Class.forName(className, false, classes).getModifiers());
        } catch (ClassNotFoundException e) {
            return false;
        } catch (LinkageError e) {
            return true; // it is there; what it lacks is for its run to say
        }
    }

    private static URL[] jars(Path directory) throws IOException {
        List<URL> jars = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.jar")) {
            for (Path file : files) {
                jars.add(file.toUri().toURL());
            }
        }
        return jars.toArray(URL[]::new);
    }
}
