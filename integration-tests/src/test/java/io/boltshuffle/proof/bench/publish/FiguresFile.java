package io.boltshuffle.proof.bench.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a benchmark printed with {@code --json}, kept in the repository.
 *
 * @param name of the file in docs/figures
 */
record FiguresFile(String name, JsonNode document) {
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    static FiguresFile read(Path directory, String name) {
        try {
            return new FiguresFile(
                    name, new ObjectMapper().readTree(directory.resolve(name).toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode at(String pointer) {
        JsonNode found = document.at(pointer);
        if (found.isMissingNode()) {
            throw new IllegalStateException(name + " has nothing at " + pointer);
        }
        return found;
    }

    double number(String pointer) {
        return at(pointer).asDouble();
    }

    /** Returns what stands below a table: what ran, when, where, and how to run it again, as far as the file tells. */
    String origin() {
        List<String> parts = new ArrayList<>();
        if (document.has("circumstances")) {
            parts.add(at("/circumstances").asText());
        } else if (document.has("spark")) {
            parts.add("Spark " + at("/spark").asText());
        }
        parts.add(state());
        if (document.has("command")) {
            parts.add("`" + at("/command").asText() + "`");
        }
        return "[" + name + "](figures/" + name + "): " + String.join("; ", parts) + ".";
    }

    private String state() {
        boolean ends = document.has("after");
        String start = document.has("before") ? "/before" : "/machine";
        String until = ends ? " to " + minute("/after").substring("uuuu-MM-dd ".length()) : "";
        return String.format(
                Locale.ROOT,
                "%s%s UTC on %d cores of %s, %.0f GiB, %s, %s, load %.1f when it began%s",
                minute(start),
                until,
                at(start + "/cores").asInt(),
                at(start + "/processor").asText(),
                number(start + "/memoryBytes") / (1 << 30),
                at(start + "/system").asText(),
                at(start + "/java").asText(),
                number(start + "/load"),
                ends ? String.format(Locale.ROOT, " and %.1f when it ended", number("/after/load")) : "");
    }

    private String minute(String pointer) {
        return MINUTE.format(Instant.parse(at(pointer + "/at").asText()));
    }
}
