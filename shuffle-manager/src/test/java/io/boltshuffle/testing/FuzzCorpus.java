package io.boltshuffle.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;

/**
 * Inputs that a fuzzer found to lead through a decoder by ways of their own: a line each, in Base64, the shortest ones
 * first. What is long is left out: the fuzzer finds it again from shorter ones.
 */
record FuzzCorpus(Path file) {
    /** In a module. */
    static final Path DIRECTORY = Path.of("src/test/resources/fuzz-corpus");

    private static final int LONGEST_BYTES = 1024;
    private static final int MOST = 400;

    List<byte[]> inputs() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        return Files.readAllLines(file).stream()
                .map(line -> Base64.getDecoder().decode(line))
                .toList();
    }

    /** Replaces what is there by these. */
    void keep(List<Path> found) throws IOException {
        List<String> lines = found.stream()
                .map(FuzzCorpus::bytes)
                .filter(input -> input.length > 0 && input.length <= LONGEST_BYTES)
                .map(Base64.getEncoder()::encodeToString)
                .distinct()
                .sorted(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()))
                .limit(MOST)
                .toList();
        Files.createDirectories(file.resolveSibling(""));
        Files.write(file, lines);
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
