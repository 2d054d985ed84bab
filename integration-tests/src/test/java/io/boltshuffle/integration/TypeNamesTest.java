package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** No file of main Java has the name of another, so that a reader who sees a type's simple name knows which it is. */
class TypeNamesTest {
    private static final Path MAIN = Path.of("src", "main");
    private static final int FEWEST_NAMES = 500;

    @Test
    void noTwoFilesOfMainJavaHaveOneName() throws IOException {
        Map<String, List<Path>> byName = new HashMap<>();
        for (Path source : LineLengthTest.sources()) {
            Path inModule = LineLengthTest.ROOT.relativize(source);
            String name = source.getFileName().toString();
            if (inModule.subpath(1, 3).equals(MAIN) && !name.equals("package-info.java")) {
                byName.computeIfAbsent(name, none -> new ArrayList<>()).add(inModule);
            }
        }

        assertThat(byName).hasSizeGreaterThan(FEWEST_NAMES);
        assertThat(byName.values()).allSatisfy(files -> assertThat(files).hasSize(1));
    }
}
