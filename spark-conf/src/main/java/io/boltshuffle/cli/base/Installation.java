package io.boltshuffle.cli.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.IVersionProvider;

/**
 * The jars that this command was started from. They are in one directory: {@code lib} of an archive or
 * {@code spark-conf/target/lib} of a checkout.
 */
public record Installation(Path lib) {

    /** Returns the installation that the running class came from. */
    public static Installation current() {
        try {
            Path source = Path.of(Installation.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (!Files.isRegularFile(source)) {
                throw BoltException.environment(
                        "this is not running from its jars but from " + source, "start it with spark-conf/bin/bolt");
            }
            return new Installation(source.resolveSibling(""));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the one jar that {@code --jars} needs. */
    public Path pluginJar() {
        return jar("boltshuffle-spark_2.13-");
    }

    /** Returns the jar with the example jobs, which is the command's own. */
    public Path examplesJar() {
        return jar("boltshuffle-cli-");
    }

    /**
     * Returns the jar of this command's class path that holds a class, which need not be loadable here.
     *
     * @param className of a top-level class
     */
    public static Path jarOf(String className) {
        URL place = Installation.class.getClassLoader().getResource(className.replace('.', '/') + ".class");
        try {
            if (place != null && place.openConnection() instanceof JarURLConnection jar) {
                return Path.of(jar.getJarFileURL().toURI());
            }
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("the jar of " + className + " has no path: " + place, e);
        }
        throw BoltException.environment(
                "no jar of this command holds " + className, "start it with spark-conf/bin/bolt");
    }

    /**
     * Returns the settings of an application that makes tables of TPC-H. The generator's own guava goes before Spark's,
     * because that of Spark 3.5 is too old for it.
     */
    public Map<String, String> generatorSettings() {
        return Map.of(
                "spark.jars",
                Stream.of("tpch-", "guava-")
                        .map(prefix -> jar(prefix).toString())
                        .collect(Collectors.joining(",")),
                "spark.driver.userClassPathFirst",
                "true",
                "spark.executor.userClassPathFirst",
                "true");
    }

    private Path jar(String prefix) {
        try (Stream<Path> files = Files.list(lib)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .max(Path::compareTo)
                    .orElseThrow(() -> BoltException.environment(
                            "no " + prefix + "*.jar in " + lib,
                            "build it with 'mvn package' in the checkout, or unpack the archive again"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the version from the jar's name, so that no manifest is needed. */
    public static final class VersionProvider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String name = current().examplesJar().getFileName().toString();
            return new String[] {"bolt " + name.replaceAll("^boltshuffle-cli-|\\.jar$", "")};
        }
    }
}
