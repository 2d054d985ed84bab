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
 * What an agent has on its class path: the few of a Spark's jars that it needs. Whoever looks for a resource that is
 * nowhere, as logging does at its start, opens every jar there is, and the directory of an open jar stays in memory: of
 * a Spark's 200 jars, 20 MB.
 */
public final class AgentClassPath {

    /** Without these an agent can find no block, or say nothing. */
    private static final List<String> INDISPENSABLE = List.of(
            "org.slf4j.Logger",
            "com.fasterxml.jackson.databind.ObjectMapper",
            "org.apache.spark.network.shuffle.ExternalShuffleBlockResolver");

    /**
     * One class of each jar that these, or logging, need. Some are in one jar, and which jars there are depends on the
     * Spark line.
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
     * The class path for an agent of a Spark's executor.
     *
     * @param own the plugin's jar
     * @param loader knows the plugin and the Spark
     * @param inherited the executor's class path, of which directories are kept: they have Spark's settings of logging
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
     * The jars, and directories of classes, that an agent needs besides the plugin's own.
     *
     * @return empty if a Spark is unlike those that are known, and an agent had better have all of it
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

    /** The jar or directory that has the class. The class is not loaded. */
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
