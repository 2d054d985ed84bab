package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/architecture.md has a row for each package of the product and of its proof. */
class ArchitecturePageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PACKAGES = Path.of("src/main/java/io/boltshuffle");

    @ParameterizedTest
    @ValueSource(strings = {"rdma-native", "shuffle-manager", "spark-conf", "integration-tests"})
    void everyRoomIsOnTheMap(String module) throws IOException {
        List<String> rows = Files.readString(ROOT.resolve("docs/architecture.md"))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .toList();

        assertThat(rooms(ROOT.resolve(module).resolve(PACKAGES)))
                .isNotEmpty()
                .allSatisfy(room -> assertThat(rows)
                        .as("a row of the map for %s", room)
                        .anyMatch(row -> row.split("\\|", 3)[1].contains("`" + room + "`")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma-native", "shuffle-manager", "spark-conf", "integration-tests"})
    void noRoomIsEmpty(String module) throws IOException {
        Path packages = ROOT.resolve(module).resolve(PACKAGES);

        assertThat(rooms(packages)).allSatisfy(room -> {
            try (Stream<Path> files = Files.list(packages.resolve(room.replace('.', '/')))) {
                assertThat(files.filter(Files::isRegularFile))
                        .as("files of %s besides its package-info", room)
                        .hasSizeGreaterThan(1);
            }
        });
    }

    private static List<String> rooms(Path packages) throws IOException {
        try (Stream<Path> files = Files.walk(packages)) {
            return files.filter(file -> file.endsWith("package-info.java"))
                    .map(file ->
                            packages.relativize(file.getParent()).toString().replace('/', '.'))
                    .sorted()
                    .toList();
        }
    }
}
