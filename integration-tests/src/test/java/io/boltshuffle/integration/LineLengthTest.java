package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No line of Java is longer than the declared number of columns. The formatter does not ensure that, because it leaves
 * comments, text blocks and long string literals as they are.
 */
class LineLengthTest {
    static final Path ROOT = Path.of("..");
    private static final int COLUMNS = 120;
    private static final int FEWEST_FILES = 700;

    @Test
    void noLineOfJavaIsLongerThanTheDeclaredColumns() throws IOException {
        List<Path> sources = sources();

        assertThat(sources).hasSizeGreaterThan(FEWEST_FILES);
        assertThat(longLines(sources)).isEmpty();
    }

    /** Returns the Java files of all modules, tests included. */
    static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(path -> Files.isDirectory(path.resolve("src")))
                    .toList()) {
                try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                    files.filter(LineLengthTest::isChecked).forEach(sources::add);
                }
            }
        }
        return sources;
    }

    private static boolean isChecked(Path file) {
        return file.toString().endsWith(".java");
    }

    private static List<String> longLines(List<Path> sources) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources) {
            List<String> lines = Files.readAllLines(source);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                if (line.codePointCount(0, line.length()) > COLUMNS) {
                    found.add(ROOT.relativize(source) + ":" + (i + 1));
                }
            }
        }
        return found;
    }
}
