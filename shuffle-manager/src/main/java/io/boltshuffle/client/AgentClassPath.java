package io.boltshuffle.client;

import java.io.File;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Selects the class path of an agent: the few of Spark's jars that the agent needs. A JVM that looks for a resource
 * which does not exist, as logging does at its start, opens every jar on the class path and keeps the directory of each
 * open jar in memory. For Spark's 200 jars that is 20 MB.
 */
public final class AgentClassPath {

    /** The classes without which an agent cannot find blocks or cannot write its log. */
    private static final List<String> INDISPENSABLE = List.of(
            "org.slf4j.Logger",
            "com.fasterxml.jackson.databind.ObjectMapper",
            "org.apache.spark.network.shuffle.ExternalShuffleBlockResolver");

    /**
     * These classes stand for the other jars that the agent or its logging needs, one class for each jar. Some of the
     * classes share a jar, and the set of jars depends on the Spark version.
     */
    private static final List<String> USEFUL = List.of(
            "com.fasterxml.jackson.core.JsonFactory",
            "com.fasterxml.jackson.annotation.JsonProperty",
            "org.apache.logging.slf4j.SLF4JServiceProvider",
            "org.apache.logging.log4j.Logger",
            "org.apache.logging.log4j.core.Logger",
            "org.apache.logging.log4j.layout.template.json.JsonTemplateLayout",
            "org.apache.spark.network.util.TransportConf",
            "org.apache.spark.network.util.JavaUtils",
            "org.apache.spark.internal.SparkLogger",
            "org.apache.spark.internal.LogKey",
            "org.apache.spark.internal.Logging",
            "org.apache.commons.lang3.StringUtils",
            "org.roaringbitmap.RoaringBitmap",
            "com.google.common.cache.LoadingCache",
            "io.netty.buffer.ByteBuf",
            "io.netty.channel.FileRegion",
            "io.netty.util.ReferenceCounted",
            "scala.Option");

    private AgentClassPath() {}

    /**
     * Returns the class path for an agent that an executor starts.
     *
     * @param own the plugin's jar
     * @param loader a class loader that finds the plugin and Spark
     * @param inherited the executor's class path; its directories are kept because they hold Spark's logging settings
     */
    static String ofExecutor(Path own, ClassLoader loader, List<String> inherited) throws IOException {
        Optional<Set<Path>> jars = jars(loader);
        Set<String> entries = new LinkedHashSet<>(List.of(own.toString()));
        for (String entry : inherited) {
            if (jars.isEmpty() || (!entry.endsWith("*") && Files.isDirectory(Path.of(entry)))) {
                entries.add(entry);
            }
        }
        jars.ifPresent(found -> found.forEach(jar -> entries.add(jar.toString())));
        return String.join(File.pathSeparator, entries);
    }

    /**
     * Returns the jars, and the directories of classes, that an agent needs beside the plugin's own.
     *
     * @return empty if this Spark differs from the known ones, so that the agent should get all of its jars
     */
    public static Optional<Set<Path>> jars(ClassLoader loader) throws IOException {
        Set<Path> jars = new LinkedHashSet<>();
        for (String name : INDISPENSABLE) {
            Optional<Path> place = place(name, loader);
            if (place.isEmpty()) {
                return Optional.empty();
            }
            jars.add(place.get());
        }
        for (String name : USEFUL) {
            place(name, loader).ifPresent(jars::add);
        }
        return Optional.of(jars);
    }

    /** Returns the jar or directory that contains the class. This does not load the class. */
    private static Optional<Path> place(String className, ClassLoader loader) throws IOException {
        String file = className.replace('.', '/') + ".class";
        URL url = loader.getResource(file);
        if (url == null) {
            return Optional.empty();
        }
        try {
            return switch (url.getProtocol()) {
                case "jar" ->
                    Optional.of(Path.of(((JarURLConnection) url.openConnection())
                            .getJarFileURL()
                            .toURI()));
                case "file" -> {
                    String uri = url.toURI().toString();
                    yield Optional.of(Path.of(URI.create(uri.substring(0, uri.length() - file.length()))));
                }
                default -> Optional.empty();
            };
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
