package io.boltshuffle.integration.othersparks;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * The classes of jars and of this JDK, by name. A class is read when it is asked for.
 *
 * <p><b>Threads:</b> confined to one.
 */
final class ClassPool implements AutoCloseable {
    private final List<ZipFile> jars = new ArrayList<>();
    private final Map<String, ZipFile> places = new HashMap<>();
    private final Map<String, Optional<ClassFacts>> read = new HashMap<>();

    private ClassPool(Stream<Path> jars) {
        jars.forEach(this::add);
    }

    /** @param folder with jars */
    static ClassPool of(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return new ClassPool(
                    files.filter(file -> file.toString().endsWith(".jar")).sorted());
        }
    }

    /** @param classPath of which only the jars count */
    static ClassPool of(String classPath) {
        return new ClassPool(Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(classPath)
                .filter(entry -> entry.endsWith(".jar"))
                .map(Path::of));
    }

    private void add(Path file) {
        try {
            ZipFile jar = new ZipFile(file.toFile());
            jars.add(jar);
            jar.stream()
                    .filter(entry -> entry.getName().endsWith(".class"))
                    .forEach(entry -> places.putIfAbsent(entry.getName(), jar));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a class; empty if neither the jars nor the JDK have it. */
    Optional<ClassFacts> find(String name) {
        return read.computeIfAbsent(name, this::read);
    }

    private Optional<ClassFacts> read(String name) {
        String file = name + ".class";
        ZipFile jar = places.get(file);
        try (InputStream in = jar == null
                ? ClassLoader.getPlatformClassLoader().getResourceAsStream(file)
                : jar.getInputStream(jar.getEntry(file))) {
            return in == null ? Optional.empty() : Optional.of(ClassFacts.read(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (ZipFile jar : jars) {
            jar.close();
        }
    }
}
