package io.boltshuffle.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Inputs that a fuzzer found to lead through a decoder by ways of their own: a line each, in Base64, the shortest ones
 * first.
 */
record FuzzCorpus(Path file) {
    /** The corpora's folder in a module. */
    static final Path DIRECTORY = Path.of("src/test/resources/fuzz-corpus");

    /** The most characters of a file. */
    private static final int MOST_CHARACTERS = 32 << 10;

    List<byte[]> inputs() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        return Files.readAllLines(file).stream()
                .map(line -> Base64.getDecoder().decode(line))
                .toList();
    }

    /** Replaces what is there by these, or by every so-maniest of them if they are too much. */
    void keep(List<Path> found) throws IOException {
        List<String> lines = found.stream()
                .map(FuzzCorpus::bytes)
                .filter(input -> input.length > 0)
                .map(Base64.getEncoder()::encodeToString)
                .distinct()
                .sorted(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()))
                .toList();
        int characters = lines.stream().mapToInt(String::length).sum();
        int step = characters / MOST_CHARACTERS + 1;
        Files.createDirectories(file.resolveSibling(""));
        Files.write(
                file,
                IntStream.iterate(0, at -> at < lines.size(), at -> at + step)
                        .mapToObj(lines::get)
                        .toList());
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
