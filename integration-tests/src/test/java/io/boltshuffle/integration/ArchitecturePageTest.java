package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/architecture.md has a row for each package, and each station of its walks begins with classes that exist. */
class ArchitecturePageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PACKAGES = Path.of("src/main/java/io/boltshuffle");
    private static final List<String> MODULES =
            List.of("rdma-native", "shuffle-manager", "spark-conf", "integration-tests");
    private static final Pattern STATION = Pattern.compile("(?m)^\\d+\\. (.*(?:\n +.*)*)");
    private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z]\\w+)`");

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
    @ValueSource(strings = {"## A fetch, station by station", "## A spilled row, station by station"})
    void everyStationOfAWalkBeginsWithAClassThatExists(String heading) throws IOException {
        Set<String> classes = classes();
        String walk = Files.readString(ROOT.resolve("docs/architecture.md"))
                .split(heading, 2)[1]
                .split("\n## ", 2)[0];

        assertThat(STATION.matcher(walk).results().map(station -> station.group(1)))
                .hasSizeGreaterThan(10)
                .allSatisfy(station -> {
                    assertThat(CLASS.matcher(station).results()).as(station).isNotEmpty();
                    assertThat(CLASS.matcher(station).results().map(name -> name.group(1)))
                            .as(station)
                            .allMatch(classes::contains);
                });
    }

    private static Set<String> classes() throws IOException {
        Set<String> classes = new HashSet<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve(PACKAGES))) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".java"))
                        .forEach(name -> classes.add(name.substring(0, name.length() - ".java".length())));
            }
        }
        return classes;
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
