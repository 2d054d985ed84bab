package io.boltshuffle.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.boltshuffle.cli.Bolt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each command that the pages for people show is one that this version has, with these options. */
class DocumentedCommandsTest {

    private static final Path DOCS = Path.of("..", "docs");

    /** A command stands in a block for the shell, or in code within a sentence. */
    private static final Pattern COMMAND = Pattern.compile("(?m)^bolt (.+)$|`bolt ([^`]+)`");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```sh$(.*?)^ *```$");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

    static Stream<List<String>> commands() {
        return Stream.of("accelerators.md", "getting-started-on-macs.md", "operations.md", "faq.md", "testing.md")
                .flatMap(page -> COMMAND.matcher(read(page)).results())
                .map(DocumentedCommandsTest::arguments)
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void isUnderstood(List<String> arguments) {
        if (arguments.size() == 1) {
            // A verb spoken of, not a command to paste; it may need arguments.
            assertThat(Bolt.commandLine().getSubcommands()).containsKey(arguments.get(0));
            return;
        }
        assertThatCode(() -> Bolt.commandLine().parseArgs(arguments.toArray(String[]::new)))
                .doesNotThrowAnyException();
    }

    static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(DOCS);
                Stream<Path> beside = Files.list(DOCS.resolveSibling(""))) {
            return Stream.concat(docs, beside)
                    .filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void pagesAndPicturesThatAreLinkedExist(Path page) throws IOException {
        assertThat(LINK.matcher(Files.readString(page)).results())
                .allSatisfy(
                        link -> assertThat(page.resolveSibling(link.group(1))).exists());
    }

    /** In a terminal zsh, the shell of macOS, takes a comment for words of the command before it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "docs/faq.md",
                "docs/getting-started-on-macs.md",
                "docs/notebooks.md",
                "docs/operations.md",
                "docs/two-macs.md",
                "spark-conf/python/README.md",
                "spark-conf/src/assembly/README.md"
            })
    void whatUsersPasteHasNoComments(String page) throws IOException {
        assertThat(BLOCK.matcher(Files.readString(DOCS.resolveSibling(page))).results())
                .allSatisfy(block -> assertThat(block.group(1)).doesNotContainPattern("(?m)(^|\\s)#(\\s|$)"));
    }

    private static List<String> arguments(MatchResult match) {
        String line = match.group(1) == null ? match.group(2) : match.group(1);
        return List.of(
                line.replaceAll(" +# .*", "").replaceAll("\\s+", " ").strip().split(" ", -1));
    }

    private static String read(String page) {
        try {
            return Files.readString(DOCS.resolve(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
