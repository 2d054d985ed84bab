package io.boltshuffle.cli.base;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Reads and writes the JSON that programs exchange and that verbs print. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final int LONGEST_EXCERPT = 200;

    private Json() {}

    /** Reads a record that {@link #write} wrote. */
    public static <T> T read(String json, Class<T> type) {
        T value;
        try {
            value = MAPPER.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw unreadable(json, type, e.getOriginalMessage());
        }
        if (value == null) {
            throw unreadable(json, type, "it is null");
        }
        return value;
    }

    /** Returns an error of one line, however long the text is. */
    private static BoltException unreadable(String json, Class<?> type, String reason) {
        return BoltException.failed("this is no JSON of a " + type.getSimpleName() + " (" + excerpt(reason) + "): "
                + (json.isBlank() ? "it is empty" : excerpt(json)));
    }

    private static String excerpt(String text) {
        String start = text.substring(0, Math.min(text.length(), LONGEST_EXCERPT));
        return start.replaceAll("\\s+", " ").strip() + (text.length() > LONGEST_EXCERPT ? "..." : "");
    }

    public static String write(Object value) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
