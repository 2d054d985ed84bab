package io.boltshuffle.proof.bench.publish;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/figures.md says of every field of {@code --json} what it is, and of none that is not there. */
class FiguresSchemaTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final String COMPARISON = "bench job, bench stage";

    /** Names of the ways to run stock Spark, which the page calls NAME. */
    private static final Pattern CONTENDER =
            Pattern.compile("(^|\\.)(tuned|nio|epoll|connections-4|tmpfs)(?=$|WallRatio)");

    /** A type that has a section of its own, with a field by which it is known. */
    private static final Map<String, String> TYPES = Map.of(
            "samples", "samples",
            "processor", "machine",
            "wallSeconds", "cost",
            "gigabytesPerSecond", "route",
            "seconds", "writing",
            "millis", "reading");

    static Stream<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(DOCS.resolve("figures"))) {
            return files.sorted().toList().stream();
        }
    }

    @Test
    void theFieldsOfComparisonsAreThose() throws IOException {
        Map<String, String> seen = fields(json(ExampleReports.comparison()));
        seen.putAll(fields(json(ExampleReports.unfinishedComparison())));
        seen.put("faults[]", "text");

        assertThat(seen).isEqualTo(documented(COMPARISON));
    }

    @Test
    void theFieldsOfFetchingAreThose() throws IOException {
        assertThat(fields(json(ExampleReports.fetch()))).isEqualTo(documented("bench fetch"));
    }

    @Test
    void theFieldsOfWritingAreThose() throws IOException {
        assertThat(fields(json(ExampleReports.write()))).isEqualTo(documented("bench write"));
    }

    @Test
    void theFieldsOfBlocksAreThose() throws IOException {
        assertThat(fields(json(ExampleReports.blocks()))).isEqualTo(documented("bench blocks"));
    }

    @Test
    void theFieldsOfTheTypesAreThose() throws IOException {
        JsonNode comparison = json(ExampleReports.comparison());

        assertThat(contents(comparison.at("/comparisons/0/boltshuffle"))).isEqualTo(table("cost"));
        assertThat(contents(comparison.at("/before"))).isEqualTo(table("machine"));
        assertThat(contents(json(ExampleReports.fetch()).at("/points/0/stock"))).isEqualTo(table("route"));
        assertThat(contents(json(ExampleReports.write()).at("/cases/0/stock"))).isEqualTo(table("writing"));
        assertThat(contents(json(ExampleReports.blocks()).at("/points/0/stock")))
                .isEqualTo(table("reading"));
        assertThat(comparison.at("/comparisons/0/stock/wallSeconds").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("median", "least", "most", "samples");
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("files")
    void theFilesHaveNoOtherFields(Path file) throws IOException {
        JsonNode document = new ObjectMapper().readTree(file.toFile());

        assertThat(documented(verbOf(document))).containsAllEntriesOf(fields(document));
    }

    private static String verbOf(JsonNode document) {
        if (document.has("comparisons")) {
            return COMPARISON;
        }
        if (document.has("points")) {
            return document.at("/points/0").has("work") ? "bench blocks" : "bench fetch";
        }
        return "bench write";
    }

    private static JsonNode json(Map<String, Object> document) {
        return new ObjectMapper().valueToTree(document);
    }

    /** Returns the fields of a document, with those that every document has. */
    private static Map<String, String> documented(String verb) throws IOException {
        Map<String, String> fields = table(verb);
        fields.putAll(table("Every document"));
        return fields;
    }

    /** Returns the fields with their types that the page has below a heading. */
    private static Map<String, String> table(String heading) throws IOException {
        List<String> lines = Files.readAllLines(DOCS.resolve("figures.md"));
        int begin = lines.indexOf("## " + heading);
        assertThat(begin).as(heading).isNotNegative();
        Map<String, String> fields = new TreeMap<>();
        lines.stream()
                .skip(begin + 1L)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split(" \\| ", -1))
                .forEach(cells -> fields.put(cells[0].substring("| `".length(), cells[0].length() - 1), cells[1]));
        assertThat(fields).as(heading).isNotEmpty();
        return fields;
    }

    private static Map<String, String> fields(JsonNode document) {
        Map<String, String> fields = new TreeMap<>();
        collect("", document, fields);
        return fields;
    }

    /** Returns the fields of a value of one of the types. */
    private static Map<String, String> contents(JsonNode value) {
        Map<String, String> fields = new TreeMap<>();
        value.properties().forEach(field -> collect(field.getKey(), field.getValue(), fields));
        return fields;
    }

    private static void collect(String path, JsonNode value, Map<String, String> fields) {
        String named = CONTENDER.matcher(path).replaceAll("$1NAME");
        if (value.isObject()) {
            typeOf((ObjectNode) value).ifPresent(type -> fields.put(named, type));
            Set<String> ofType = new TreeSet<>();
            typeOf((ObjectNode) value).ifPresent(type -> ofType.addAll(namesOf(type)));
            value.properties().forEach(field -> {
                if (!ofType.contains(field.getKey())) {
                    collect(path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue(), fields);
                }
            });
        } else if (value.isArray()) {
            value.forEach(element -> collect(path + "[]", element, fields));
        } else {
            fields.put(named, value.isTextual() ? "text" : value.isBoolean() ? "boolean" : "number");
        }
    }

    private static Optional<String> typeOf(ObjectNode value) {
        return TYPES.entrySet().stream()
                .filter(type -> value.has(type.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static Set<String> namesOf(String type) {
        try {
            return type.equals("samples")
                    ? Set.of("median", "least", "most", "samples")
                    : table(type).keySet();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
