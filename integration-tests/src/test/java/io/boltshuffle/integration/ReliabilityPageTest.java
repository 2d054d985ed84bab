package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/reliability.md names every row of the failure matrix; it and docs/security.md name only tests that exist. */
class ReliabilityPageTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern MATRIX_ROW = Pattern.compile("\\| ([^|`]+) \\| [^|`]+ \\| (yes |CI )?\\| .*");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`");

    private final String page;

    ReliabilityPageTest() throws IOException {
        page = Files.readString(ROOT.resolve("docs/reliability.md"));
    }

    @Test
    void theMatricesAreThoseThatRun() {
        List<FailureRow> told = page.lines()
                .map(MATRIX_ROW::matcher)
                .filter(Matcher::matches)
                .filter(row -> !row.group(1).equals("fault"))
                .map(row -> new FailureRow(
                        row.group(1), runs(row.group(2)), !row.group(1).contains("agents crash"), (cluster, job) -> {}))
                .toList();
        assertThat(told)
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("strike")
                .containsExactlyElementsOf(Stream.of(FailureMatrix.ROWS, BlocksFailureMatrix.ROWS)
                        .flatMap(List::stream)
                        .toList());
    }

    private static FailureRow.Runs runs(@Nullable String cell) {
        if (cell == null) {
            return FailureRow.Runs.LADDER;
        }
        return cell.equals("CI ") ? FailureRow.Runs.CI : FailureRow.Runs.EVERY_BUILD;
    }

    /** Says of each test what runs it, and has a command that runs it. */
    @Test
    void whatSparkDoesBesidesRunningJobsIsRunAsThePageSays() throws Exception {
        String section = page.substring(page.indexOf("## What Spark does"), page.indexOf("## On macOS"));
        List<String> lines = section.lines()
                .filter(line -> line.startsWith("| ") && TEST.matcher(line).find())
                .toList();
        assertThat(lines).hasSizeGreaterThan(15);
        for (String line : lines) {
            String[] cells = line.split(" \\| ", -1);
            List<String> runBy = new ArrayList<>();
            for (MatchResult test : TEST.matcher(cells[1]).results().toList()) {
                runBy.add(runBy(test.group(1), test.group(2)));
                assertThat(section).as("a command of the page").containsPattern("[',]" + test.group(1) + "[',]");
            }
            assertThat(List.of(cells[2].split(", ", -1))).as(line).isEqualTo(runBy);
        }
    }

    private static String runBy(String name, String method) throws IOException, ReflectiveOperationException {
        Class<?> test = Class.forName(packageOf(name) + "." + name);
        Set<String> tags = Stream.<AnnotatedElement>concat(
                        Stream.of(test),
                        Stream.of(test.getDeclaredMethods())
                                .filter(each -> each.getName().equals(method)))
                .flatMap(each -> Stream.of(each.getAnnotationsByType(Tag.class)))
                .map(Tag::value)
                .collect(Collectors.toSet());
        if (tags.contains("ladder")) {
            return "ladder";
        }
        return tags.contains("ci") ? "CI" : "every build";
    }

    private static String packageOf(String test) throws IOException {
        String source = testSources().stream()
                .filter(file -> file.endsWith(test + ".java"))
                .map(ReliabilityPageTest::text)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no test " + test));
        return source.substring(source.indexOf("package ") + "package ".length(), source.indexOf(';'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/reliability.md", "docs/security.md"})
    void everyTestThatIsNamedExists(String name) throws IOException {
        List<Path> sources = testSources();
        List<String> missing = new ArrayList<>();
        Matcher named = TEST.matcher(Files.readString(ROOT.resolve(name)));
        while (named.find()) {
            Path file = Path.of(named.group(1) + ".java");
            String method = " void " + named.group(2) + "(";
            if (sources.stream()
                    .noneMatch(source -> source.endsWith(file) && text(source).contains(method))) {
                missing.add(named.group());
            }
        }
        assertThat(missing).isEmpty();
    }

    /** Each statement about an attacker names the test that shows it, or says that it is known by reading only. */
    @Test
    void everyLineOfTheSecurityPageHasItsTest() throws IOException {
        List<String> rows = new ArrayList<>();
        boolean tested = false;
        for (String line : Files.readAllLines(ROOT.resolve("docs/security.md"))) {
            if (line.endsWith("| test |")) {
                tested = true;
            } else if (!line.startsWith("| ")) {
                tested = false;
            } else if (tested && !line.startsWith("| ---")) {
                rows.add(line);
            }
        }
        assertThat(rows)
                .hasSizeGreaterThan(20)
                .allSatisfy(row -> assertThat(row).containsPattern(TEST.pattern() + "|\\| by reading \\|$"));
    }

    private static List<Path> testSources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : List.of("rdma-native", "shuffle-manager", "spark-conf", "integration-tests")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                files.forEach(sources::add);
            }
        }
        return sources;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
